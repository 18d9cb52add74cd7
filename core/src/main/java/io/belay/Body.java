package io.belay;

/**
 * Work under a lease.
 *
 * @param <T> what it comes to
 * @param <E> what it throws
 */
interface Body<T, E extends Exception> {
    T run() throws E;

    /** Does the work, and gives the lease back; throws if that was lost meanwhile. */
    static <T, E extends Exception> T under(Lease lease, Body<T, E> body) throws E {
        try (lease) {
            T result = body.run();
            lease.ensureHeld();
            return result;
        }
    }

    /** Does the same with work that comes to nothing. */
    static void under(Lease lease, Runnable body) {
        try (lease) {
            body.run();
            lease.ensureHeld();
        }
    }
}
