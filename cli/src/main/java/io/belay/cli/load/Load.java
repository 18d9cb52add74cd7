package io.belay.cli.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A fixed number of orders, placed by a fixed number of clients, spread over the servers in turn. */
public final class Load implements AutoCloseable {
    private static final long STACK_BYTES = 256 * 1024;

    private final List<Server> servers;
    private final String path;
    private final int orders;
    private final Duration longestAnswer;
    private final Tally tally;
    private final AtomicInteger nextOrder = new AtomicInteger();
    private final AtomicInteger nextServer = new AtomicInteger();
    private final List<Thread> clients = new ArrayList<>();
    private final CountDownLatch running;
    private volatile boolean stopped;

    /**
     * Starts the load.
     *
     * @param servers where orders are taken
     * @param path what is asked for, up to the buyer's name
     * @param orders how many
     * @param target how many of them are to be taken
     * @param clients how many at once at most
     * @param longestAnswer for how long a client waits for an answer
     */
    public Load(List<Server> servers, String path, int orders, int target, int clients, Duration longestAnswer) {
        this.servers = List.copyOf(servers);
        this.path = path;
        this.orders = orders;
        this.tally = new Tally(target, System::nanoTime);
        this.longestAnswer = longestAnswer;
        this.running = new CountDownLatch(clients);
        for (int i = 0; i < clients; i++) {
            Thread thread = new Thread(null, new LoadClient(this), "client-" + i, STACK_BYTES);
            thread.setDaemon(true);
            this.clients.add(thread);
        }
        this.clients.forEach(Thread::start);
    }

    /** What was seen so far. */
    public Tally tally() {
        return tally;
    }

    /** Waits for the end of all orders. */
    public boolean await(long millis) throws InterruptedException {
        return running.await(millis, TimeUnit.MILLISECONDS);
    }

    boolean stopped() {
        return stopped;
    }

    /** The number of the next order; empty if there are no more. */
    Optional<Integer> takeOrder() {
        int number = nextOrder.getAndIncrement();
        return number < orders ? Optional.of(number) : Optional.empty();
    }

    /** The next server in turn of those that are left; empty if none is. */
    Optional<Server> nextServer() {
        List<Server> left = servers.stream().filter(server -> !server.isGone()).toList();
        return left.isEmpty()
                ? Optional.empty()
                : Optional.of(left.get(Math.floorMod(nextServer.getAndIncrement(), left.size())));
    }

    String path(int order) {
        return path + "?buyer=buyer-" + order;
    }

    Duration longestAnswer() {
        return longestAnswer;
    }

    void ended() {
        running.countDown();
    }

    /** Gives up what is under way. */
    @Override
    public void close() {
        stopped = true;
        // Those who wait for an answer are left to themselves: they are daemons.
        clients.forEach(Thread::interrupt);
    }
}
