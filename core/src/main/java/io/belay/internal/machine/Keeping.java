package io.belay.internal.machine;

/**
 * For how long a claim stays that nobody uses: a sticky lock's until nobody has used it for a while, and the place in the store's
 * queue of a client that tries for a lock again and again, for a moment. To leave and to enter for each short try would cost a
 * store with many such clients more than all hand-overs, and each try would begin at the end of the queue: at some hundred
 * clients nobody would be served. A client that tries only once has left the queue when it is told so.
 */
final class Keeping {
    /** The time within which the next try comes, if there is one, in nanoseconds. */
    private static final long SOON = 50_000_000;

    private final long idle;
    /** When to see whether a sticky claim has been used of late: set once for many uses. */
    private long lookAt = Caller.NEVER;
    /** The instant until which another try is expected. */
    private long triedUntil = Caller.NEVER;

    /** Whether the last try has followed another one. */
    boolean isRepeated;

    /** Makes one; {@code idle} is in nanoseconds, 0 for a claim that is not sticky. */
    Keeping(long idle) {
        this.idle = idle;
    }

    /** Returns whether a sticky claim stays that nobody uses, and was used until then; if so, it is looked at again. */
    boolean stays(long usedUntil, long now) {
        boolean stays = now - usedUntil < idle;
        lookAt = stays && lookAt == Caller.NEVER ? usedUntil + idle : lookAt;
        return stays;
    }

    /** Expects another try, as one has ended and nobody else waits or holds. */
    void expectTry(long now) {
        triedUntil = now + SOON;
    }

    /** Notes that a caller comes: if it was expected, this is a try that follows another. Returns whether the claim stayed for it. */
    boolean tried() {
        boolean kept = isPlaceKept();
        isRepeated |= isTryExpected();
        triedUntil = Caller.NEVER;
        return kept;
    }

    boolean isTryExpected() {
        return triedUntil != Caller.NEVER;
    }

    /** Returns whether the claim stays for the next try. */
    boolean isPlaceKept() {
        return isTryExpected() && isRepeated;
    }

    /** Expects no try any more, if the time for it is over; what is looked at now is not due any more. */
    void expire(long now) {
        if (isTryExpected() && now - triedUntil >= 0) {
            endTry();
        }
        if (lookAt != Caller.NEVER && now - lookAt >= 0) {
            lookAt = Caller.NEVER;
        }
    }

    /** Expects no try any more. */
    void endTry() {
        triedUntil = Caller.NEVER;
        isRepeated = false;
    }

    long due() {
        return lookAt == Caller.NEVER || (triedUntil != Caller.NEVER && triedUntil - lookAt < 0) ? triedUntil : lookAt;
    }
}
