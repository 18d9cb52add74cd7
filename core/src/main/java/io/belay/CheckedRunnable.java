package io.belay;

/**
 * Work under a lock that returns nothing. Its exception is a type parameter, as that of {@link CheckedCallable}.
 *
 * @param <E> what it throws
 */
@FunctionalInterface
public interface CheckedRunnable<E extends Exception> {
    /** Does the work. */
    void run() throws E;
}
