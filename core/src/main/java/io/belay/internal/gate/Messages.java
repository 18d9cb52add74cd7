package io.belay.internal.gate;

import io.belay.ClaimRefusedException;
import io.belay.LeaseLostException;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.belay.StoreUnavailableException;
import io.belay.UnusableStoreException;
import io.belay.internal.claim.Life;
import io.belay.spi.Confirmation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The lines that tell waiters and holders what went wrong: each names the lock, what was seen and what to do. */
public final class Messages {
    /** The reason why a lease is lost whose time is over. */
    static final String MAX_HOLD = "it was held for longer than its maxHold";

    private Messages() {}

    /** Returns what is said to a caller whose store ends no claim by itself at a time of its own. */
    static String notKept(String name) {
        return "The lock '" + name + "' cannot stay taken after its release: this store has no lease of a claim's own";
    }

    /** Returns what is said to waiters of a client that is closed, or else paused. */
    static Outcome shut(String name, boolean closed) {
        return Outcome.failure(WaitEnd.ERROR, () -> Life.refusal(closed, "The lock '" + name + "' cannot be had: "));
    }

    /** Returns the reason why a lease is lost whose client is closed, or else paused. */
    static String taken(boolean closed) {
        return "its client was " + (closed ? "closed" : "paused") + " while it was held";
    }

    static Outcome refused(String name, @Nullable String reason) {
        return Outcome.failure(WaitEnd.REFUSED, () -> refusal(name, reason));
    }

    static Outcome unusable(String name, @Nullable String reason) {
        return Outcome.failure(
                WaitEnd.ERROR,
                () -> new UnusableStoreException("The lock '" + name + "' cannot be had: " + reason, null));
    }

    static Outcome unavailable(String name, String lastFailure) {
        return Outcome.failure(
                WaitEnd.ERROR,
                () -> new StoreUnavailableException(
                        "The store did not answer in time, so it is not known who has the lock '" + name + "'"
                                + lastFailure,
                        null));
    }

    static Outcome wentBack(String name, long token, long seen) {
        return Outcome.failure(
                WaitEnd.REFUSED,
                () -> new ClaimRefusedException(
                        "The store went back: the lock '" + name + "' was granted with the token " + token + " after "
                                + seen
                                + ". Was a backup restored, or a replica promoted that lags? Reset the guards before going on",
                        null));
    }

    public static ClaimRefusedException refusal(String name, @Nullable String reason) {
        return new ClaimRefusedException("The lock '" + name + "' was refused: " + reason, null);
    }

    /** Returns what is said of a lost lease, which was last confirmed like that. */
    static String lost(String name, long token, Duration held, @Nullable String why, @Nullable Confirmation last) {
        return "Lost the lock '" + name + "' (token " + token + ", acquired " + held.toMillis() + " ms ago): " + why
                + shortage(last);
    }

    /** Returns the same loss, with who has taken the lock away. */
    static LeaseLostException forced(LeaseLostException loss, String by) {
        String message = "Lost the lock '" + loss.name() + "' (token " + loss.token() + ", acquired "
                + loss.held().toMillis() + " ms ago): it was taken away by force, by " + by;
        return new LeaseLostException(message, loss.name(), loss.token(), LossReason.FORCED, loss.held(), by, null);
    }

    private static String shortage(@Nullable Confirmation last) {
        return last == null || !last.isShort()
                ? ""
                : "; " + last.replicas() + " of the " + last.wanted() + " replicas asked for had confirmed it";
    }
}
