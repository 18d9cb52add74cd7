package io.belay;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options of a lock: how it is acquired and held. Immutable: each {@code with...} method returns a changed copy.
 *
 * <p>All durations are at least 1 millisecond and at most 365 days, except the leases, which are at least 100
 * milliseconds; anything else throws {@link IllegalArgumentException}.
 */
public final class LockOptions {
    private static final LockOptions DEFAULTS =
            new LockOptions(Duration.ofSeconds(30), null, null, null, false, true, null);

    private final Duration lease;
    private final @Nullable Duration fixedLease;
    private final @Nullable Duration maxHold;
    private final @Nullable Duration slice;
    private final boolean strictOrder;
    private final boolean barging;
    private final @Nullable Duration sticky;

    private LockOptions(
            Duration lease,
            @Nullable Duration fixedLease,
            @Nullable Duration maxHold,
            @Nullable Duration slice,
            boolean strictOrder,
            boolean barging,
            @Nullable Duration sticky) {
        this.lease = lease;
        this.fixedLease = fixedLease;
        this.maxHold = maxHold;
        this.slice = slice;
        this.strictOrder = strictOrder;
        this.barging = barging;
        this.sticky = sticky;
    }

    /**
     * Returns the defaults: a lease of 30 seconds that is renewed, the store's own slice, no maximum hold, no strict order,
     * barging, not sticky.
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets for how long the lock stays taken when its holder dies. The client renews a held claim at a third of the
     * lease, and a waiting one at a third or every 2 seconds, whichever comes first.
     */
    public LockOptions withLease(Duration lease) {
        return new LockOptions(Durations.lease(lease), fixedLease, maxHold, slice, strictOrder, barging, sticky);
    }

    /**
     * Holds the lock for at most this long and does not renew it. Such an acquisition is never handed on inside the
     * client; its time starts when the grant has arrived.
     */
    public LockOptions withFixedLease(Duration fixedLease) {
        Objects.requireNonNull(fixedLease, "fixedLease");
        return new LockOptions(lease, Durations.lease(fixedLease), maxHold, slice, strictOrder, barging, sticky);
    }

    /**
     * Ends renewal after this long, for jobs that may hang: the lease is then lost, its listeners are told, and the
     * next claim is granted.
     */
    public LockOptions withMaxHold(Duration maxHold) {
        return new LockOptions(
                lease, fixedLease, Durations.positive("maxHold", maxHold), slice, strictOrder, barging, sticky);
    }

    /**
     * Sets for how long the waiters of one client hand the lock on among themselves before other clients get their
     * turn. Longer is faster, shorter is fairer. The default is the store's own: 2 milliseconds, and 10 where a
     * hand-over from client to client takes milliseconds itself, as with databases on servers.
     */
    public LockOptions withSlice(Duration slice) {
        return new LockOptions(
                lease, fixedLease, maxHold, Durations.positive("slice", slice), strictOrder, barging, sticky);
    }

    /** Serves all callers of all clients exactly in the order in which they asked, at a store call for each. */
    public LockOptions withStrictOrder(boolean strictOrder) {
        return new LockOptions(lease, fixedLease, maxHold, slice, strictOrder, barging, sticky);
    }

    /**
     * Sets whether a running thread may take the lock before a waiting one of the same client that is still being
     * woken up: many times faster where threads come and go quickly. A waiter that has woken up gets the lock next,
     * so no thread waits much longer; after a hold of more than a quarter of the slice the waiter gets the lock at
     * once. Without barging the threads of a client are served in the order in which they asked.
     */
    public LockOptions withBarging(boolean barging) {
        return new LockOptions(lease, fixedLease, maxHold, slice, strictOrder, barging, sticky);
    }

    /**
     * Keeps the lock in the client for this long after its last use, or until somebody else wants it: to take it
     * again and to give it back costs no network then, millions of times a second. For work that mostly stays with
     * one process. Other clients are told that the lock is held meanwhile: one that waits for it gets it a round trip
     * later than usual, and its {@code tryAcquire()} fails once and makes the client that keeps the lock let go. If
     * the keeping client's process dies, the lock stays taken until the lease ends, also while nobody used it. No
     * effect with strict order or a fixed lease.
     */
    public LockOptions withSticky(Duration idle) {
        Objects.requireNonNull(idle, "idle");
        return new LockOptions(
                lease, fixedLease, maxHold, slice, strictOrder, barging, Durations.positive("sticky", idle));
    }

    /** Returns the lease that is renewed. */
    public Duration lease() {
        return lease;
    }

    /** Returns the lease that is not renewed, if one was asked for. */
    public Optional<Duration> fixedLease() {
        return Optional.ofNullable(fixedLease);
    }

    /** Returns the longest hold, if there is a limit. */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(maxHold);
    }

    /** Returns the time slice of one client, if one was set; else it is the store's own. */
    public Optional<Duration> slice() {
        return Optional.ofNullable(slice);
    }

    /** Returns whether callers of different clients are served in the exact order of their asking. */
    public boolean strictOrder() {
        return strictOrder;
    }

    /** Returns whether a running thread may take the lock before one of the same client that is being woken up. */
    public boolean barging() {
        return barging;
    }

    /** Returns for how long the client keeps the lock after its last use, if it does. */
    public Optional<Duration> sticky() {
        return Optional.ofNullable(sticky);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockOptions options && values().equals(options.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    private List<Optional<?>> values() {
        return List.of(
                Optional.of(lease),
                fixedLease(),
                maxHold(),
                slice(),
                Optional.of(strictOrder),
                Optional.of(barging),
                sticky());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("LockOptions[lease=" + lease);
        fixedLease().ifPresent(value -> text.append(", fixedLease=").append(value));
        maxHold().ifPresent(value -> text.append(", maxHold=").append(value));
        slice().ifPresent(value -> text.append(", slice=").append(value));
        text.append(", strictOrder=").append(strictOrder);
        text.append(", barging=").append(barging);
        sticky().ifPresent(value -> text.append(", sticky=").append(value));
        return text.append(']').toString();
    }
}
