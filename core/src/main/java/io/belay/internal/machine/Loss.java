package io.belay.internal.machine;

import io.belay.LossReason;

/** A reason why a hold is lost, with the words for it. */
public enum Loss {
    TAKEN(LossReason.FORCED, "it was taken away by force"),
    NOT_LISTED(LossReason.FORGOTTEN, "the store no longer lists it"),
    NOT_THERE(LossReason.FORGOTTEN, "the store no longer had it when it was released"),
    WENT_BACK(LossReason.FORGOTTEN, "the store went back to an earlier state"),
    UNDONE(LossReason.EXPIRED, "the store went back to a state before its grant"),
    EXPIRED(LossReason.EXPIRED, "its lease ended by the store's clock"),
    NOT_RENEWED(LossReason.EXPIRED, "its lease ended and could not be renewed in time"),
    OVER(LossReason.ENDED, "its fixed lease is over"),
    MAX_HOLD(LossReason.MAX_HOLD, "it was held for longer than its maxHold"),
    CLOSED(LossReason.CLOSED, "its client was closed while it was held"),
    PAUSED(LossReason.CLOSED, "its client was paused while it was held");

    public final LossReason reason;
    public final String words;

    Loss(LossReason reason, String words) {
        this.reason = reason;
        this.words = words;
    }
}
