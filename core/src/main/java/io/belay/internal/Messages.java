package io.belay.internal;

import io.belay.ClaimRefusedException;
import io.belay.ClosedException;
import io.belay.LeaseLostException;
import io.belay.StoreUnavailableException;
import io.belay.UnusableStoreException;
import io.belay.spi.Confirmation;
import org.jspecify.annotations.Nullable;

/** The lines that tell waiters and holders what went wrong: each names the lock, what was seen and what to do. */
final class Messages {
    /** The reason why a lease is lost whose client is closed. */
    static final String CLOSED = "its client was closed while it was held";

    private Messages() {}

    static Waiter.Failure closed(String name) {
        return () ->
                new ClosedException("The client was closed, so the lock '" + name + "' cannot be had from it", null);
    }

    static Waiter.Failure refused(String name, @Nullable String reason) {
        return () -> new ClaimRefusedException("The lock '" + name + "' was refused: " + reason, null);
    }

    static Waiter.Failure unusable(String name, @Nullable String reason) {
        return () -> new UnusableStoreException("The lock '" + name + "' cannot be had: " + reason, null);
    }

    static Waiter.Failure unavailable(String name, String lastFailure) {
        return () -> new StoreUnavailableException(
                "The store did not answer in time, so it is not known who has the lock '" + name + "'" + lastFailure,
                null);
    }

    static Waiter.Failure wentBack(String name, long token, long seen) {
        return () -> new ClaimRefusedException(
                "The store went back: the lock '" + name + "' was granted with the token " + token + " after " + seen
                        + ". Was a backup restored, or a replica promoted that lags? Reset the guards before going on",
                null);
    }

    static LeaseLostException lost(Hold hold, @Nullable String why, long now) {
        return new LeaseLostException(
                "Lost the lock '" + hold.name() + "' (token " + hold.token() + ", acquired "
                        + (now - hold.acquired) / 1_000_000 + " ms ago): " + why + shortage(hold),
                null);
    }

    private static String shortage(Hold hold) {
        Confirmation last = hold.claim().confirmation();
        return last == null || !last.isShort()
                ? ""
                : "; " + last.replicas() + " of the " + last.wanted() + " replicas asked for had confirmed it";
    }
}
