package io.belay;

/** What a client asks its store for. The kinds stay as they are, also where the requests behind them change. */
public enum RequestKind {
    /** To have a lock, or a place among those who wait. */
    TAKE,
    /** To keep it, or the place, for another lease. */
    KEEP,
    /** To change what is there: permits, an end, who is shown. */
    CHANGE,
    /** To give it up, for good or until the others have had their turn; also to take it from others by force. */
    GIVE_BACK,
    /** To see what is there. */
    LOOK
}
