package io.belay.internal.machine;

import io.belay.ClientClosedException;
import io.belay.LockRefusedException;
import io.belay.LockStatistics.WaitEnd;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The end of a wait without the lock.
 *
 * @param end how the wait is counted
 * @param text what its caller is told; empty where others simply had the lock
 * @param thrown makes of that text what is thrown to its caller; null where it is told no more than that it has not had the lock
 */
public record Failure(WaitEnd end, String text, @Nullable Function<String, RuntimeException> thrown) {
    /** Others had the lock all the time. */
    public static final Failure NOT_HAD = new Failure(WaitEnd.TIMEOUT, "", null);

    /** The caller has given up. */
    public static final Failure CANCELLED = new Failure(WaitEnd.CANCELLED, "", null);

    /** Returns the failure of those whose client is closed, or else paused, to whom that text says what they cannot have. */
    public static Failure shut(boolean closed, String what) {
        return closed
                ? new Failure(
                        WaitEnd.ERROR, what + "the client was closed", all -> new ClientClosedException(all, null))
                : unavailable(what + "the client is paused");
    }

    public static Failure refused(String name, @Nullable String reason) {
        return refused("A request for '" + name + "' was refused: " + reason);
    }

    private static Failure refused(String text) {
        return new Failure(WaitEnd.REFUSED, text, all -> new LockRefusedException(all, null));
    }

    /** Returns that of those who want a fixed lease, or one that outlasts the release, where no claim has a lease of its own. */
    public static Failure noLease(String name, boolean fixed) {
        String asked = fixed ? "have a fixed lease" : "stay taken after its release";
        return refused("The lock '" + name + "' cannot " + asked + ": this store has no lease of a claim's own");
    }

    static Failure unusable(String text) {
        return new Failure(WaitEnd.ERROR, text, all -> new StoreMisconfiguredException(all, null));
    }

    static Failure unavailable(String name, String lastFailure) {
        return unavailable(
                "The store did not answer in time, so it is not known who has the lock '" + name + "'" + lastFailure);
    }

    static Failure unavailable(String text) {
        return new Failure(WaitEnd.ERROR, text, all -> new StoreUnavailableException(all, null));
    }

    static Failure wentBack(String name, long token, long seen) {
        return refused("The store went back: the lock '" + name + "' was granted with the token " + token + " after "
                + seen + ". Was a backup restored, or a replica promoted that lags? Reset the guards before going on");
    }

    /** Makes what is thrown to the caller; null where there is nothing. */
    public @Nullable RuntimeException exception() {
        return thrown == null ? null : thrown.apply(text);
    }
}
