package io.belay;

/** A reason why a lease was lost. Values may be added, so a {@code switch} needs a {@code default}. */
public enum LossReason {
    /** The lease ended before the store had renewed it: nothing came through in time, or the process stood still. */
    EXPIRED,
    /** The store knows nothing of the claim any more: its data was lost, or another server took over without it. */
    FORGOTTEN,
    /** Somebody took the lock away by force. */
    FORCED,
    /** It was held for longer than its {@code maxHold}. */
    MAX_HOLD,
    /** It has ended as it was asked to: its fixed lease is over. Nothing failed, and nothing is logged. */
    ENDED,
    /** The client was closed, or paused, while it was held. */
    CLOSED
}
