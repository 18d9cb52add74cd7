package io.belay.simulation;

import java.util.EnumSet;
import java.util.Set;

/** What may go wrong in a world. */
enum Fault {
    /** The clocks of machines and store run a little faster or slower than they should. */
    DRIFT,
    /** Messages take seconds. */
    LATE_MESSAGES,
    /** Messages are lost without a word. */
    LOST_MESSAGES,
    /** Messages overtake each other. */
    OVERTAKING,
    /** Messages come twice; an enter never does, which its owner alone sends again. */
    DOUBLED_MESSAGES,
    /** A connection is lost, and is there again after a while. */
    OUTAGES,
    /** The store ends and starts again, with what it knew. */
    STORE_CRASHES,
    /** Another server takes over that knows the same; its clock is ahead. Who holds then is not safe. */
    FAILOVERS,
    /** Clients ask for a replica's confirmation; now and then the replica lags, and takes over. */
    REPLICAS,
    /** The wall clock of a machine is put ahead or back. */
    WALL_STEPS,
    /** The monotonic clock of a machine jumps ahead. */
    MONOTONIC_STEPS,
    /** A machine is suspended: its monotonic clock stands still. */
    SUSPENSIONS,
    /** A process is stopped for a while. */
    STOPS,
    /** A process is killed. */
    DEATHS,
    /** A thread is not scheduled for long. */
    SLOW_THREADS,
    /** The thread of a client's timers has no processor for long. */
    SLOW_TIMERS,
    INTERRUPTS,
    SPURIOUS_WAKE_UPS,
    /** Futures are cancelled. */
    CANCELS,
    /** Clients are closed. */
    CLOSES,
    /** Locks are released by force. */
    EVICTIONS,
    /** The callback executor takes no more tasks. */
    EXECUTOR_REJECTS,
    /** The callback executor throws an {@code Error} at whoever hands it a task. */
    EXECUTOR_THROWS,
    /** The callback executor takes its time. */
    EXECUTOR_LATE,
    /** What users hand over throws an {@code Error}. */
    USER_ERRORS,
    /** What users hand over blocks for long. */
    USER_BLOCKS,
    /** The logger throws an {@code Error}. */
    LOG_ERRORS,
    /** The logger blocks for long. */
    LOG_BLOCKS,
    /** No thread can be started. */
    NO_THREADS,
    /** Nor while a client is closed, which is the last chance to tell anybody anything. */
    NO_THREADS_AT_CLOSE,
    /** Renewals of one lock fail, and of no other. */
    BAD_RENEWALS,
    /** The store is full, or to be read alone, for a while: it refuses what would change it but renewals. */
    FULL_STORE;

    /** What is drawn behind all else, so that the worlds without it are what they were. */
    static final Set<Fault> LATER = EnumSet.of(FULL_STORE);

    /** What is known not to be borne yet; to be taken off here once it is. */
    static final Set<Fault> NOT_YET = EnumSet.noneOf(Fault.class);
}
