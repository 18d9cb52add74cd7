package io.belay.tck;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** A store in this JVM, made of the reference model: its network, server and clock can be disturbed, and its rules broken. */
final class SimulatedServer implements StoreSpec, Server {
    /** For a test of the suite this store is not run in time. */
    private static final Duration LATE = Duration.ofMillis(25);

    private final Fault fault;
    private final Duration patience;
    private final Map<String, Resource> resources = new HashMap<>();
    private final Set<String> damaged = new HashSet<>();
    private final Map<Long, SimulatedStore> clients = new ConcurrentHashMap<>();
    private final SimulatedNetwork near = new SimulatedNetwork(this);
    private final SimulatedNetwork far = new SimulatedNetwork(this);
    private volatile Duration offset = Duration.ZERO;
    private volatile boolean down;
    private long run = 1;

    SimulatedServer(Fault fault, Duration patience) {
        this.fault = fault.opened();
        this.patience = patience;
    }

    private long now() {
        return 1_700_000_000_000_000L + (System.nanoTime() + offset.toNanos()) / 1_000;
    }

    /** What becomes of a request. The answer comes before the pushes, which are not made under the lock. */
    Answer run(Request request) {
        Step step;
        Answer answer;
        synchronized (this) {
            String name = fault.name(request.resource());
            if (damaged.contains(name)) {
                throw StoreException.unusable("'" + name + "' was damaged on purpose", null);
            }
            step = fault.run(request, resources.getOrDefault(name, Resource.UNUSED), now());
            resources.put(name, step.next());
            answer = step.answer().from(run);
        }
        for (Push push : step.pushes(request.resource())) {
            SimulatedStore client = clients.get(push.id().client());
            if (client != null) {
                client.push(stamped(push, answer.server()));
            }
        }
        return answer;
    }

    private static Push stamped(Push push, long server) {
        return push.from(server);
    }

    Store.Snapshot inspect(String name) {
        if (fault.looksLate()) {
            LockSupport.parkNanos(LATE.toNanos());
        }
        synchronized (this) {
            return Store.Snapshot.of(now(), Optional.ofNullable(resources.get(fault.name(name))));
        }
    }

    synchronized Store.NamePage names(String prefix) {
        return Store.NamePage.last(resources.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .toList());
    }

    boolean failsTogether() {
        return fault.failsTogether();
    }

    @Override
    public synchronized boolean damage(String resource) {
        return damaged.add(resource);
    }

    boolean isDown() {
        return down;
    }

    Store open(long client, Store.Listener listener, SimulatedNetwork network) {
        SimulatedStore store = new SimulatedStore(this, network, listener, () -> clients.remove(client));
        clients.put(client, store);
        return store;
    }

    @Override
    public String url() {
        return "simulated:";
    }

    @Override
    public Belay connect(BelayOptions options) {
        return near.connect(options);
    }

    @Override
    public Store open(long client, Store.Listener listener) {
        return open(client, listener, near);
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Duration patience() {
        return patience;
    }

    @Override
    public Optional<Network> network() {
        return Optional.of(far);
    }

    @Override
    public Optional<Server> server() {
        return Optional.of(this);
    }

    @Override
    public void kill() {
        down = true;
    }

    @Override
    public void restart() {
        synchronized (this) {
            resources.clear();
            run++;
        }
        down = false;
        List.copyOf(clients.values()).forEach(SimulatedStore::reconnected);
    }

    @Override
    public boolean canSetClock() {
        return true;
    }

    @Override
    public void setClock(Duration ahead) {
        offset = ahead;
    }
}
