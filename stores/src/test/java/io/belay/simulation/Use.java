package io.belay.simulation;

import java.util.EnumSet;
import java.util.Set;

/** What the users of a world make use of, besides waiting for locks and giving them back. */
enum Use {
    /** Many threads of a client want the same thing. */
    CROWDS,
    /** Futures. */
    ASYNC,
    /** Tries that do not wait. */
    TRIES,
    /** Waits of a limited time. */
    TIMED_WAITS,
    /** The views that are owned by threads. */
    VIEWS,
    READ_WRITE,
    /** Leases that are made a reader's, or a writer's. */
    UPGRADES,
    /** The same, several times in a row. */
    REPEATED_UPGRADES,
    SEMAPHORES,
    /** Semaphores are given other capacities. */
    RESIZES,
    STRICT_ORDER,
    NO_BARGING,
    FIXED_LEASES,
    MAX_HOLD,
    STICKY,
    LISTENERS,
    MULTI_LOCKS,
    LATCHES,
    ELECTIONS,
    /** Ends of leases are moved, and locks kept after their release. */
    MOVED_ENDS,
    /** Locks stay taken for a while from their acquisition on. */
    AT_LEAST,
    /** Clients are closed once their holders have finished, or a time is over. */
    DRAINS,
    /** Actions are run once in a period. */
    ONCES,
    /** Permits are given back by others, and some of several. */
    TICKETS,
    REDUCTIONS,
    /** Clients are asked what they hold, wait for, and have counted. */
    LOOKS,
    /** Somebody listens to what a client tells of all its locks. */
    REPORTS,
    /** Clients are there before their store. */
    LATE_CONNECTIONS,
    /** Clients are paused for a while. */
    PAUSES;

    /** Those that came later: they are drawn apart, so that a seed's worlds without them stay as they were. */
    static final Set<Use> LATER = EnumSet.range(MOVED_ENDS, PAUSES);

    /** Those that a store of nodes serves only if each claim may have a lease of its own. */
    static final Set<Use> NEED_LEASES = EnumSet.of(FIXED_LEASES, AT_LEAST);

    /** What is known not to be borne yet; to be taken off here once it is. */
    static final Set<Use> NOT_YET = EnumSet.noneOf(Use.class);
}
