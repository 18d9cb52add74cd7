package io.belay.internal;

/**
 * Notices that the machine may have been suspended: the wall clock ran on, and nanoTime may have stood still. Written
 * under the claim's lock, read by anybody.
 */
final class Suspension {
    private final Time time;

    /** Wall clock minus nanoTime, in milliseconds, when the last answered request was sent. */
    private volatile long offset;

    Suspension(Time time) {
        this.time = time;
    }

    void answered(Sent sent) {
        offset = sent.offset();
    }

    /**
     * Whether the wall clock ran ahead of nanoTime by more than the drift margin since the last answered request, so that
     * the lease may have ended without nanoTime showing it.
     */
    boolean isPossible(Belief belief, long now) {
        Belief.Anchor anchor = belief.anchor();
        if (anchor == null) {
            return false;
        }
        long span = belief.until() - anchor.sent();
        long most = offset + span / 100_000_000 + 2;
        // A thread that was not scheduled between the two readings is no suspension: only then look closely.
        return time.wallMillis() - now / 1_000_000 > most && time.wallAheadMillis() > most;
    }
}
