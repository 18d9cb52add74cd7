package io.belay.internal.primitive;

import io.belay.DistributedLock;
import io.belay.DistributedSemaphore;
import io.belay.LockOptions;
import io.belay.internal.claim.Engine;
import io.belay.internal.gate.Gates;
import io.belay.spi.Claim;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;

/** The semaphore that users see: each acquisition is a claim of its own, as heavy as it has permits. */
public final class Semaphore implements DistributedSemaphore {
    private final Gates gates;
    private final Engine engine;
    private final String name;
    private final LockOptions options;
    private volatile int total;

    public Semaphore(Gates gates, String name, int total, LockOptions options) {
        this.gates = gates;
        engine = gates.engine();
        this.name = name;
        this.options = options;
        this.total = checked(total);
    }

    private int checked(int permits) {
        if (permits < 1 || permits == Resource.WHOLE) {
            throw new IllegalArgumentException(
                    "The semaphore '" + name + "' cannot have " + permits + " permits; give it 1 or more");
        }
        return permits;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DistributedLock permits(int permits) {
        if (permits < 1 || permits > total) {
            throw new IllegalArgumentException("The semaphore '" + name + "' has " + total + " permits, so " + permits
                    + " of them can never be had");
        }
        return Lock.permits(gates, name, total, permits, options);
    }

    @Override
    public int total() {
        return total;
    }

    @Override
    public int available() {
        Store.Snapshot seen = engine.await(engine.inspect(name), "Inspecting the semaphore '" + name + "'");
        long held = seen.resource().map(Resource::holders).stream()
                .flatMap(java.util.List::stream)
                .filter(claim -> claim.deadline() > seen.time())
                .mapToLong(Claim::weight)
                .sum();
        int capacity = seen.resource()
                .filter(resource -> !resource.claims().isEmpty() || resource.resized())
                .map(Resource::capacity)
                .orElse(total);
        return (int) Math.max(0, capacity - held);
    }

    @Override
    public void resize(int permits) {
        checked(permits);
        engine.await(engine.send(new Request.Resize(name, permits)), "Resizing the semaphore '" + name + "'");
        total = permits;
    }

    @Override
    public String toString() {
        return "DistributedSemaphore '" + name + "'";
    }
}
