package io.belay.internal.gate;

import io.belay.ClaimRefusedException;
import io.belay.ClosedException;
import io.belay.LeaseLostException;
import io.belay.StoreUnavailableException;
import io.belay.UnusableStoreException;
import io.belay.spi.Confirmation;
import org.jspecify.annotations.Nullable;

/** The lines that tell waiters and holders what went wrong: each names the lock, what was seen and what to do. */
public final class Messages {
    /** The reason why a lease is lost whose client is closed. */
    static final String CLOSED = "its client was closed while it was held";

    private Messages() {}

    static Outcome closed(String name) {
        return Outcome.failure(() ->
                new ClosedException("The client was closed, so the lock '" + name + "' cannot be had from it", null));
    }

    static Outcome refused(String name, @Nullable String reason) {
        return Outcome.failure(() -> refusal(name, reason));
    }

    static Outcome unusable(String name, @Nullable String reason) {
        return Outcome.failure(
                () -> new UnusableStoreException("The lock '" + name + "' cannot be had: " + reason, null));
    }

    static Outcome unavailable(String name, String lastFailure) {
        return Outcome.failure(() -> new StoreUnavailableException(
                "The store did not answer in time, so it is not known who has the lock '" + name + "'" + lastFailure,
                null));
    }

    static Outcome wentBack(String name, long token, long seen) {
        return Outcome.failure(() -> new ClaimRefusedException(
                "The store went back: the lock '" + name + "' was granted with the token " + token + " after " + seen
                        + ". Was a backup restored, or a replica promoted that lags? Reset the guards before going on",
                null));
    }

    public static ClaimRefusedException refusal(String name, @Nullable String reason) {
        return new ClaimRefusedException("The lock '" + name + "' was refused: " + reason, null);
    }

    /** Returns the loss of a lease that was held for so many nanoseconds, and was last confirmed like that. */
    static LeaseLostException lost(
            String name, long token, long held, @Nullable String why, @Nullable Confirmation last) {
        return new LeaseLostException(
                "Lost the lock '" + name + "' (token " + token + ", acquired " + held / 1_000_000 + " ms ago): " + why
                        + shortage(last),
                null);
    }

    private static String shortage(@Nullable Confirmation last) {
        return last == null || !last.isShort()
                ? ""
                : "; " + last.replicas() + " of the " + last.wanted() + " replicas asked for had confirmed it";
    }
}
