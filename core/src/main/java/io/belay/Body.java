package io.belay;

import org.jspecify.annotations.Nullable;

/** Work under a lease. */
final class Body {
    private Body() {}

    /** Does the work, and gives the lease back; throws if that was lost meanwhile. */
    static <T extends @Nullable Object, E extends Exception> T under(Lease lease, CheckedCallable<T, E> body) throws E {
        try (lease) {
            T result = body.call();
            lease.ensureHeld();
            return result;
        }
    }

    /** Does the same with work that comes to nothing. */
    static <E extends Exception> void under(Lease lease, CheckedRunnable<E> body) throws E {
        try (lease) {
            body.run();
            lease.ensureHeld();
        }
    }
}
