package io.belay.internal.gate;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.spi.ClaimId;
import org.jspecify.annotations.Nullable;

/** What a simulation of whole clients has to know of leases, and only this package can tell. */
public final class Holds {
    private Holds() {}

    /** What {@link Lease#isHeld} would say, without doing anything about it. */
    public static boolean isHeld(Lease lease, long now) {
        Hold hold = (Hold) lease;
        return !hold.isReleased()
                && hold.loss() == null
                && hold.claim().until() - now > 0
                && (hold.limit() == Long.MAX_VALUE || hold.limit() - now > 0)
                && !hold.isUnsure(now);
    }

    /** Whether it is lost and cannot be held again. */
    public static boolean isLost(Lease lease, long now) {
        Hold hold = (Hold) lease;
        return hold.loss() != null || (!hold.isReleased() && hold.claim().until() - now <= 0);
    }

    /** Whether it is lost or given back, for good. */
    public static boolean isFinal(Lease lease) {
        Hold hold = (Hold) lease;
        return hold.isReleased() || hold.loss() != null;
    }

    /** Whether its client has heard that it is given back, or it is lost. */
    public static boolean isOver(Lease lease, long now) {
        return ((Hold) lease).isReleased() || isLost(lease, now);
    }

    /** For how long it runs, in nanoseconds. */
    public static long left(Lease lease, long now) {
        return ((Hold) lease).claim().until() - now;
    }

    /** For how long it has been over, in nanoseconds; negative if it runs. */
    public static long over(Lease lease, long now) {
        Hold hold = (Hold) lease;
        long claim = now - hold.claim().until();
        return hold.limit() == Long.MAX_VALUE ? claim : Math.max(claim, now - hold.limit());
    }

    /** When it was acquired, by its machine's clock. */
    public static long acquired(Lease lease) {
        return ((Hold) lease).acquired();
    }

    /** How it stands, in words. */
    public static String describe(Lease lease, long now) {
        Hold hold = (Hold) lease;
        return hold.claim() + " for " + (hold.claim().until() - now) / 1000 + " us";
    }

    /** By which claim it is held. */
    public static ClaimId claim(Lease lease) {
        return ((Hold) lease).claim().id;
    }

    /** Under which sequence that claim is believed to be held. */
    public static long sequence(Lease lease) {
        return ((Hold) lease).claim().sequence();
    }

    /** Why it is lost; null if it is not. */
    public static @Nullable String loss(Lease lease) {
        LeaseLostException loss = ((Hold) lease).loss();
        return loss == null ? null : loss.getMessage();
    }

    /** Why it is lost, for programs; null if nobody has noticed yet. */
    public static @Nullable LossReason reason(Lease lease) {
        LeaseLostException loss = ((Hold) lease).loss();
        return loss == null ? null : loss.reason().orElseThrow();
    }
}
