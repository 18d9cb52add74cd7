package io.belay.internal.gate;

/**
 * The key by which {@link Gates} finds a gate: all who want the same lock in the same way share one.
 *
 * @param name the lock's full name
 * @param capacity the capacity of the resource
 * @param weight how much of it each holder takes
 * @param lease the lease that is renewed, in microseconds
 * @param slice the time slice, in nanoseconds; {@link #STORES_SLICE} for the one that the store proposes
 * @param barging whether a thread that runs may come before one that is being woken up
 * @param idle for how long the claim is kept after its last use, in nanoseconds; 0 if it is not
 * @param ending whether it also lets in while the client drains, as those who hold something else end their work by it
 */
public record GateKey(
        String name, int capacity, int weight, long lease, long slice, boolean barging, long idle, boolean ending) {
    /** The slice of those who do not say any: a client that connects later does not know yet what its store proposes. */
    public static final long STORES_SLICE = -1;

    /** Makes the key for a gate that lets nobody in while the client drains. */
    public GateKey(String name, int capacity, int weight, long lease, long slice, boolean barging, long idle) {
        this(name, capacity, weight, lease, slice, barging, idle, false);
    }

    /** Returns the key for a gate that does. */
    public GateKey whileEnding() {
        return new GateKey(name, capacity, weight, lease, slice, barging, idle, true);
    }

    /** Returns the key for a gate that serves one acquisition and keeps nothing. */
    public GateKey apart() {
        return new GateKey(name, capacity, weight, lease, slice, barging, 0, ending);
    }
}
