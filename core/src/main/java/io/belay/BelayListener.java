package io.belay;

import java.time.Duration;
import java.util.Objects;

/**
 * A listener to what somebody should look at: rare events of a client, each of which is also logged. Its methods are called
 * on the callback executor, one event at a time for each call, in no order that is promised; what they throw is logged.
 */
public interface BelayListener {
    /**
     * Tells that somebody has waited for longer than {@link BelayOptions#withSlowWait the threshold}, and again after ten
     * seconds, a minute and ten minutes. Who stands by as the next leader, or waits at a latch, is expected to wait for long, and not
     * told of.
     */
    default void slowWait(SlowWait slow) {
        Objects.requireNonNull(slow, "slow");
    }

    /** Tells of a deadlock that a thread of this client is part of, once for each time that it is found. */
    default void deadlock(Deadlock deadlock) {
        Objects.requireNonNull(deadlock, "deadlock");
    }

    /** Tells that a lease is held for longer than {@link BelayOptions#withLongHold the threshold}, once for each hold. */
    default void longHold(OwnHold hold) {
        Objects.requireNonNull(hold, "hold");
    }

    /**
     * Tells that a lease was lost, also by force; {@link Lease#onLost} tells the same to those who hold it, and to them also that a
     * fixed lease has ended as it was asked to, which is not told here.
     */
    default void lost(LeaseLostException loss) {
        Objects.requireNonNull(loss, "loss");
    }

    /**
     * Tells that the store refused a claim, and why: all who waited for it have got a {@link LockRefusedException}, or ask once more,
     * where it is a semaphore's that reads its number of permits anew.
     */
    default void refused(String name, String reason) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(reason, "reason");
    }

    /** Tells that a request has taken long; at most every ten seconds, and not of a connection's first. */
    default void slowRequest(SlowRequest slow) {
        Objects.requireNonNull(slow, "slow");
    }

    /** Tells that the store has begun to fail. */
    default void storeAway(String reason) {
        Objects.requireNonNull(reason, "reason");
    }

    /** Tells that the store answers again, and for how long it did not. */
    default void storeBack(Duration away) {
        Objects.requireNonNull(away, "away");
    }
}
