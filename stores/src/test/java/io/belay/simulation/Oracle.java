package io.belay.simulation;

import java.util.EnumSet;
import java.util.Set;

/** What clients promise, and a simulation judges. */
enum Oracle {
    /** Nobody holds what others hold, beyond the capacity. */
    EXCLUSION,
    /** Tokens rise in the order of conflicting holds. */
    TOKENS,
    /** Without barging the threads of a client are served in the order in which they came; in strict order those of all. */
    ORDER,
    /** A try is refused, or a wait in vain, only where others have or want the lock. */
    REFUSALS,
    /** Whoever is told that a lease was released had it until then, and what one has a release gives back where nothing is wrong. */
    RELEASES,
    /** A lease is lost only where something is wrong. */
    LOSSES,
    /** Every listener is told of a loss once, and of nothing else. */
    LISTENERS,
    /** What is held when a client is closed is lost, and told to be. */
    CLOSE_TELLS,
    /** What leases say of themselves is so, and what the views that are owned by threads say of them. */
    VIEWS,
    /** A client that cannot be opened leaves nothing open. */
    OPENING,
    /** Nobody waits for what nobody uses, or for what is left of it, for longer than it takes to tell. */
    STANDSTILL,
    /** Whoever was interrupted, or ran out of time, has left the queue. */
    GIVEN_UP,
    /** Waits end in their time, or by an interrupt, losses are told at their deadlines, and a drain is over when its time is. */
    TIMES,
    /** A lease ends where its end was moved to, and what is to stay taken is nobody's before its time is over, whoever dies. */
    ENDS,
    /** Each count of a latch counts once, and it lets nobody pass before it is at zero. */
    LATCHES,
    /** What a client says of itself is so. */
    LOOKS,
    /** What lasts too long is told in time, and nothing else is. */
    REPORTS,
    /**
     * A wait fails only where something is wrong, with what is wrong, and one without a limit never for a silent store; that others
     * had the lock tells who can know. An interrupt is told, or kept for later.
     */
    FAILURES,
    /** Everybody who waits is served or told. */
    SERVED,
    /** Nothing is left behind in the client. */
    CLEAN_CLIENT,
    /** Nothing is left behind in the store: by who is closed at once, by who dies no longer than its leases last. */
    CLEAN_STORE,
    /** Nothing is thrown at a thread of the client's or the store's. */
    ERRORS,
    /** The store keeps the rules: what is granted stays so, but not for long unless somebody picks it up; who left is gone. */
    STORE;

    /** What is known not to be kept yet; to be taken off here once it is. */
    static final Set<Oracle> NOT_YET = EnumSet.noneOf(Oracle.class);
}
