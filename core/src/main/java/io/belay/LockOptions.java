package io.belay;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of a lock: how it is acquired and held. Immutable: each {@code with...} method returns a changed copy.
 *
 * <p>A duration that is outside of what its method says is refused with an {@link IllegalArgumentException} that names option, value
 * and range. What is called off by default stays so until its method is called.
 */
public final class LockOptions {
    private enum Option {
        LEASE("lease"),
        FIXED_LEASE("fixedLease"),
        MAX_HOLD("maxHold"),
        AT_LEAST("atLeast"),
        SLICE("slice"),
        STRICT_ORDER("strictOrder"),
        BARGING("barging"),
        STICKY("sticky"),
        BEHALF("behalf"),
        DEADLOCK("deadlock");

        final String title;

        Option(String title) {
            this.title = title;
        }
    }

    private static final LockOptions DEFAULTS = new LockOptions(new EnumMap<>(
            Map.of(Option.LEASE, Duration.ofSeconds(30), Option.STRICT_ORDER, false, Option.BARGING, true)));

    private final EnumMap<Option, Object> values;

    private LockOptions(EnumMap<Option, Object> values) {
        this.values = values;
    }

    private LockOptions with(Option option, Object value) {
        EnumMap<Option, Object> changed = new EnumMap<>(values);
        changed.put(option, value);
        return new LockOptions(changed);
    }

    private Optional<Duration> duration(Option option) {
        return Optional.ofNullable((Duration) values.get(option));
    }

    private boolean flag(Option option) {
        return Boolean.TRUE.equals(values.get(option));
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
     *
     * @param lease from 100 milliseconds to 365 days; 30 seconds by default
     */
    public LockOptions withLease(Duration lease) {
        return with(Option.LEASE, Durations.lease(lease));
    }

    /**
     * Holds the lock for at most this long and does not renew it. Such an acquisition is never handed on inside the
     * client; its time starts when the grant has arrived. A lease that ends so ends quietly: {@link Lease#onLost} tells
     * {@link LossReason#ENDED}, and nothing is logged. A store that knows coarser times rounds up, as etcd does to whole
     * seconds; on a database it may last longer by as much as a reading of its clock took.
     *
     * @param lease from 10 milliseconds, of which the margin for clocks that drift takes two, to 365 days; off by default
     */
    public LockOptions withFixedLease(Duration lease) {
        Objects.requireNonNull(lease, "lease");
        return with(Option.FIXED_LEASE, Durations.fixedLease(lease));
    }

    /**
     * Ends renewal after this long, for jobs that may hang: the lease is then lost, its listeners are told, and the
     * next claim is granted. {@link Lease#extend} moves that end.
     *
     * @param maxHold from 1 millisecond to 365 days, counted from the acquisition; off by default
     */
    public LockOptions withMaxHold(Duration maxHold) {
        return with(Option.MAX_HOLD, Durations.positive("maxHold", maxHold));
    }

    /**
     * Keeps the lock taken for at least this long, counted from the acquisition: one that is given back earlier, in whatever
     * way, is given back as by {@link Lease#releaseAfter}, and nobody has it before. Closing the client frees it no earlier.
     * For jobs that are to run once in a while, however many processes begin them at about the same time. If the process
     * dies while it holds the lock, the lock is free when both this time and its lease are over. A fixed lease that is shorter
     * ends for its holder alone; no suspension of the machine counts for it, as for {@link #withMaxHold}. Such an acquisition is
     * never handed on inside the client.
     *
     * @param atLeast from 1 millisecond to 365 days; off by default
     */
    public LockOptions withAtLeast(Duration atLeast) {
        return with(Option.AT_LEAST, Durations.positive("atLeast", atLeast));
    }

    /**
     * Sets for how long the waiters of one client hand the lock on among themselves before other clients get their
     * turn. Longer is faster, shorter is fairer. The end of a slice takes nothing from whoever holds the lock: it is handed to another
     * client next.
     *
     * @param slice from 1 millisecond to 365 days; the store's own by default: 2 milliseconds, and 10 where a hand-over from client
     *     to client takes milliseconds itself, as with databases on servers
     */
    public LockOptions withSlice(Duration slice) {
        return with(Option.SLICE, Durations.positive("slice", slice));
    }

    /**
     * Serves all callers of all clients exactly in the order in which they asked, at a store call for each.
     *
     * @param strictOrder false by default
     */
    public LockOptions withStrictOrder(boolean strictOrder) {
        return with(Option.STRICT_ORDER, strictOrder);
    }

    /**
     * Sets whether a running thread may take the lock before a waiting one of the same client that is still being
     * woken up: many times faster where threads come and go quickly. A waiter that has woken up gets the lock next,
     * so no thread waits much longer; after a hold of more than a quarter of the slice the waiter gets the lock at
     * once. Without barging the threads of a client are served in the order in which they asked; of those who want a read
     * lock those that can share go in together, in no order.
     *
     * @param barging true by default
     */
    public LockOptions withBarging(boolean barging) {
        return with(Option.BARGING, barging);
    }

    /**
     * Keeps the lock in the client for this long after its last use, or until somebody else wants it: to take it
     * again and to give it back costs no network then, millions of times a second. For work that mostly stays with
     * one process. Other clients are told that the lock is held meanwhile: one that waits for it gets it a round trip
     * later than usual, and its {@code tryAcquire()} fails once and makes the client that keeps the lock let go. If
     * the keeping client's process dies, the lock stays taken until the lease ends, also while nobody used it. No
     * effect with strict order, a fixed lease or {@link #withAtLeast}, nor for readers, permits and leaders.
     *
     * @param idle from 1 millisecond to 365 days; off by default
     */
    public LockOptions withSticky(Duration idle) {
        Objects.requireNonNull(idle, "idle");
        return with(Option.STICKY, Durations.positive("sticky", idle));
    }

    /**
     * Names on whose behalf the lock is taken, for those who look at it: an order, a job, a user.
     * {@link Belay#onBehalfOf} does the same for a whole view of a client, and says where it matters.
     *
     * @param behalf the name, of which at most 64 characters are kept; empty, as by default, for none
     */
    public LockOptions withBehalf(String behalf) {
        return with(Option.BEHALF, Objects.requireNonNull(behalf, "behalf"));
    }

    /** Returns the lease that is renewed. */
    public Duration lease() {
        return duration(Option.LEASE).orElseThrow();
    }

    /** Returns the lease that is not renewed, if one was asked for. */
    public Optional<Duration> fixedLease() {
        return duration(Option.FIXED_LEASE);
    }

    /** Returns the longest hold, if there is a limit. */
    public Optional<Duration> maxHold() {
        return duration(Option.MAX_HOLD);
    }

    /** Returns for how long the lock stays taken at least, if a time was set. */
    public Optional<Duration> atLeast() {
        return duration(Option.AT_LEAST);
    }

    /** Returns the time slice of one client, if one was set; else it is the store's own. */
    public Optional<Duration> slice() {
        return duration(Option.SLICE);
    }

    /** Returns whether callers of different clients are served in the exact order of their asking. */
    public boolean strictOrder() {
        return flag(Option.STRICT_ORDER);
    }

    /** Returns whether a running thread may take the lock before one of the same client that is being woken up. */
    public boolean barging() {
        return flag(Option.BARGING);
    }

    /** Returns for how long the client keeps the lock after its last use, if it does. */
    public Optional<Duration> sticky() {
        return duration(Option.STICKY);
    }

    /**
     * Sets what becomes of a wait for the lock that is part of a deadlock, and would be the one to give up. It is reported in
     * either case. {@code THROW} also says that a lease of this lock is given back by the thread that took it, or by those who work
     * on the same one's behalf: a ring in which any lock is held without that may end by itself, and is reported only.
     *
     * @param policy by default {@link DeadlockPolicy#THROW} for the reentrant views and {@link DeadlockPolicy#REPORT} for leases
     */
    public LockOptions withDeadlock(DeadlockPolicy policy) {
        return with(Option.DEADLOCK, Objects.requireNonNull(policy, "policy"));
    }

    /** Returns what becomes of a wait that is part of a deadlock, if that was set. */
    public Optional<DeadlockPolicy> deadlock() {
        return Optional.ofNullable((DeadlockPolicy) values.get(Option.DEADLOCK));
    }

    /** Returns on whose behalf the lock is taken; empty if nobody is named. */
    public String behalf() {
        return (String) values.getOrDefault(Option.BEHALF, "");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockOptions options && values.equals(options.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey().title + "=" + entry.getValue())
                .collect(Collectors.joining(", ", "LockOptions[", "]"));
    }
}
