package io.belay.internal.claim;

import io.belay.internal.time.BackOff;
import io.belay.spi.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The last request of a {@link LiveClaim}: whether its answer is still to come, and when the request is sent again if
 * none does. Guarded by the owner's lock; all times in nanoseconds.
 */
public final class InFlight {
    /** The time for which a missing answer is not held against a store that has answered on this connection before. */
    public static final long SLOW = 200_000_000;

    private static final BackOff PAUSE = new BackOff(500_000_000);

    /** The number of the last request: only its answer ends the wait for one, older answers only inform. */
    private int number;

    private boolean underWay;
    private long dueUntil;
    private long resendAt;
    private int failures;
    private @Nullable String failure;

    /**
     * Begins to wait for a request that is sent now; returns its number.
     *
     * @param patience for how long a missing answer is not held against the store
     * @param timeout after how long the request is sent again
     */
    int begin(long now, long patience, long timeout) {
        underWay = true;
        dueUntil = now + patience;
        resendAt = now + timeout;
        return ++number;
    }

    boolean isLast(int request) {
        return request == number;
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** Returns when the request is sent again if nothing is heard before. */
    long resendAt() {
        return resendAt;
    }

    boolean isOverdue(long now) {
        return underWay && now - resendAt >= 0;
    }

    /** Returns whether the answer is overdue, and nothing has said why. */
    boolean isSilence(long now) {
        return failures == 0 && isOverdue(now);
    }

    /** Returns until when a missing answer is not held against the store; of no use where none is under way. */
    long answerDueUntil() {
        return dueUntil;
    }

    /** Returns whether the answer may be missing just because it takes its time. */
    boolean isAnswerDue(long now) {
        return failures == 0 && underWay && now - answerDueUntil() < 0;
    }

    /** Returns whether any request was sent. */
    boolean isBegun() {
        return number > 0;
    }

    /** Returns whether the first request is under way: neither answered nor failed, and none was sent after it. */
    boolean isFirst() {
        return number == 1 && underWay && failures == 0;
    }

    /** Returns whether the last request is unanswered. */
    boolean isOutOfTouch() {
        return failures > 0 || underWay;
    }

    /** Returns why the last request failed; null if it did not, or nobody said why. */
    @Nullable
    String failure() {
        return failure;
    }

    void answered() {
        failures = 0;
        failure = null;
        underWay = false;
    }

    void failed(StoreException error) {
        failure = error.getMessage();
    }

    /** Puts off the next sending of the request, the longer the more often it has failed. */
    void backOff(long now) {
        resendAt = now + PAUSE.after(failures);
        failures++;
    }

    /** Notes that no answer came in time. */
    void missed() {
        failures = Math.max(failures, 1);
    }

    /** Forgets what failed before the connection was made anew. */
    void forgive() {
        failures = 0;
    }

    /** Ends the wait for the answer. */
    void giveUp() {
        underWay = false;
    }
}
