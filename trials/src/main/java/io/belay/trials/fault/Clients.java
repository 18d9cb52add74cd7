package io.belay.trials.fault;

import io.belay.trials.client.Holder;
import io.belay.trials.client.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** The client processes. For one thread. */
final class Clients implements AutoCloseable {
    static final int COUNT = 5;

    /** The probability that a strike is to hit the process that has just been granted a lock. */
    private static final double AT_HOLDER = 0.85;

    private static final long LONGEST_WAIT_NANOS = 200_000_000;

    /** The most that are paused at a time: where more stand still, little happens that could go wrong. */
    private static final int MOST_PAUSED = 2;

    /** A client waits for 20 s until its threads end, and for as long until all is closed. */
    private static final int PATIENCE_SECONDS = 60;

    private final Set<Client> running = ConcurrentHashMap.newKeySet();
    private final List<Client> clients = new ArrayList<>();
    private final List<Integer> runs = new ArrayList<>();
    private final BiFunction<Integer, Integer, Settings> settings;
    private final Builds builds;
    private final Signals signals;
    private final Journal journal;
    private final Holder holder;

    /** Creates the clients; {@code settings} gives those of a client by its index and run. */
    Clients(
            BiFunction<Integer, Integer, Settings> settings,
            Builds builds,
            Signals signals,
            Journal journal,
            Holder holder) {
        this.settings = settings;
        this.builds = builds;
        this.signals = signals;
        this.journal = journal;
        this.holder = holder;
        // A stopped process would stay behind for ever.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> running.forEach(Client::destroy), "trials-clients"));
    }

    void start() throws IOException, InterruptedException {
        for (int i = 0; i < COUNT; i++) {
            runs.add(0);
            clients.add(launch(i));
        }
        for (Client client : clients) {
            client.awaitReady();
        }
    }

    private Client launch(int index) throws IOException {
        Client client = Client.start(settings.apply(index, runs.get(index)), builds.classPath(index), signals, journal);
        running.add(client);
        return client;
    }

    /**
     * Returns the index of the client to strike: mostly the one that is granted a lock just then, and none that is
     * paused already; -1 for none at all. Waits a moment for a grant.
     */
    int victim(Random random) throws InterruptedException {
        int any = random.nextInt(COUNT);
        boolean aimed = random.nextDouble() < AT_HOLDER;
        if (clients.stream().filter(Client::isPaused).count() >= MOST_PAUSED) {
            return -1;
        }
        if (aimed) {
            holder.awaitGrant(LONGEST_WAIT_NANOS);
        }
        int last = holder.get();
        int first = aimed && last >= 0 && last < COUNT ? last : any;
        for (int i = 0; i < COUNT; i++) {
            int index = (first + i) % COUNT;
            if (!clients.get(index).isPaused()) {
                return index;
            }
        }
        return -1;
    }

    Client get(int index) {
        return clients.get(index);
    }

    /** Returns the index of the client that has waited longest for the lock that was granted last; -1 if none does. */
    int firstWaiter() {
        int first = holder.firstWaiter();
        return first < COUNT ? first : -1;
    }

    /** Kills clients, one right after the other, and starts them again. */
    void restart(Collection<Integer> indices) throws IOException {
        for (int index : indices) {
            clients.get(index).kill();
        }
        for (int index : indices) {
            running.remove(clients.get(index));
            runs.set(index, runs.get(index) + 1);
            clients.set(index, launch(index));
        }
    }

    /** Lets all clients go on, tells them to end and waits for that; returns what went wrong. */
    List<String> finish() throws InterruptedException {
        clients.stream().filter(Client::isPaused).forEach(Client::resume);
        clients.forEach(Client::finish);
        List<String> wrong = new ArrayList<>();
        for (Client client : clients) {
            String what = client.awaitEnd(PATIENCE_SECONDS);
            if (!what.isEmpty()) {
                wrong.add(what);
            }
        }
        return wrong;
    }

    @Override
    public void close() {
        running.forEach(Client::destroy);
    }
}
