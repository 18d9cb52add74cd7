package io.belay;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Work under a lease. */
final class Body {
    private Body() {}

    /** Does the work, and gives the lease back; throws if that was lost meanwhile. */
    static <T extends @Nullable Object, E extends Exception> T under(Lease lease, CheckedCallable<T, E> body) throws E {
        T result;
        try (lease) {
            result = body.call();
            lease.ensureHeld();
        }
        if (lease.release() == ReleaseOutcome.ALREADY_LOST) {
            lease.ensureHeld(); // as it was given back: the store may be the first to know
        }
        return result;
    }

    /** Returns work that tells that it was done, for work that comes to nothing. */
    static <E extends Exception> CheckedCallable<Boolean, E> told(CheckedRunnable<E> body) {
        Objects.requireNonNull(body, "body");
        return () -> {
            body.run();
            return true;
        };
    }
}
