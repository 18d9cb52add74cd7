package io.belay.simulation;

import io.belay.support.Moment;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Where one client runs: its clocks, and whether it runs at all. */
final class Machine {
    private static final long ORIGIN = 3_000_000_000_000L;
    private static final long WALL_ORIGIN = 1_700_000_000_000L;

    /** For how long at most after a suspension a waiter does not know that its claim has ended meanwhile. */
    private static final long UNAWARE = 2_000_000_000;

    final String name;
    private final Scheduler scheduler;
    /** How much faster than true time its monotonic clock runs, in millionths. */
    private final long drift;

    /** For how long it was suspended so far. */
    private long asleep;
    /** When it was suspended, or -1. */
    private long suspendedAt = -1;
    /** How far its monotonic clock, and its wall clock, were put ahead. */
    private long ahead;
    /** The jumps of its monotonic clock, by true time. */
    private final NavigableMap<Long, Long> jumps = new TreeMap<>();
    /** For how long its threads may have been kept from going on, each time, by the end of that. */
    private final NavigableMap<Long, Long> stalls = new TreeMap<>();

    private long wallOffset;

    /** Nothing of it goes on before that instant. */
    long resumeAt;
    /** It never goes on. */
    boolean dead;
    /** The last instant at which something was wrong that may cost it a lease. */
    long troubled = Long.MIN_VALUE / 2;
    /** The last instant at which its threads may have been kept from going on, or gone by a clock that had jumped. */
    long stalled = Long.MIN_VALUE / 2;
    /** When its wall clock was put ahead, or back, last. */
    long stepped = Long.MIN_VALUE / 2;

    Machine(String name, Scheduler scheduler, long drift) {
        this.name = name;
        this.scheduler = scheduler;
        this.drift = drift;
    }

    /** Shows the monotonic clock. */
    long nanos() {
        long now = suspendedAt >= 0 ? suspendedAt : scheduler.now();
        long ran = now - asleep;
        return ORIGIN + ran + ran / 1_000_000 * drift + ahead;
    }

    /** By how much the monotonic clock has jumped since then. */
    long jumpedSince(long since) {
        return jumps.tailMap(since).values().stream().mapToLong(nanos -> nanos).sum();
    }

    /** For how long its threads may have been kept from going on, of all times that were not over by then. */
    long stalledSince(long since) {
        return stalls.tailMap(since).values().stream().mapToLong(nanos -> nanos).sum();
    }

    /** Shows the wall clock. */
    long wallMillis() {
        return WALL_ORIGIN + (scheduler.now() + wallOffset) / 1_000_000;
    }

    /** Shows both clocks. */
    Moment moment() {
        return new Moment(nanos(), wallMillis() - nanos() / 1_000_000);
    }

    /** Stops it for a while; both clocks run on. */
    void stop(long nanos) {
        resumeAt = Math.max(resumeAt, scheduler.now() + nanos);
        stall(nanos);
    }

    /** Stops it for a while, and its monotonic clock with it. */
    void suspend(long nanos) {
        if (suspendedAt < 0) {
            suspendedAt = scheduler.now();
            resumeAt = Math.max(resumeAt, scheduler.now() + nanos);
            stall(nanos);
            trouble(nanos + UNAWARE);
            scheduler.later(resumeAt - scheduler.now(), this::wake);
        }
    }

    private void wake() {
        asleep += scheduler.now() - suspendedAt;
        suspendedAt = -1;
    }

    boolean isSuspended() {
        return suspendedAt >= 0;
    }

    /** Puts the wall clock ahead, or back. */
    void stepWall(long nanos) {
        wallOffset += nanos;
        stepped = scheduler.now();
    }

    /** Puts the monotonic clock ahead. */
    void stepMonotonic(long nanos) {
        ahead += nanos;
        jumps.merge(scheduler.now(), nanos, Long::sum);
        hinder(nanos); // who sleeps wakes up so much later than by its clock
        trouble(nanos + Thing.LONGEST_LEASE); // what is given up as having ended lasts on in the store
    }

    /** Notes that the process may be kept from going on for so long: that is wrong, too, and excuses more than the network does. */
    void stall(long nanos) {
        stalls.merge(scheduler.now() + nanos, nanos, Long::sum);
        hinder(nanos);
    }

    private void hinder(long nanos) {
        stalled = Math.max(stalled, scheduler.now() + nanos);
        trouble(nanos);
    }

    /** Notes that something is wrong for so long. */
    void trouble(long nanos) {
        troubled = Math.max(troubled, scheduler.now() + nanos);
    }

    boolean isStopped() {
        return resumeAt > scheduler.now();
    }

    @Override
    public String toString() {
        return name;
    }
}
