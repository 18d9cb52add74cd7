package io.belay;

import org.jspecify.annotations.Nullable;

/**
 * Work under a lock that returns something. Its exception is a type parameter, so that a caller has to catch what the work
 * throws and nothing else: for work that throws nothing checked the compiler infers {@link RuntimeException}.
 *
 * @param <T> what it returns
 * @param <E> what it throws
 */
@FunctionalInterface
public interface CheckedCallable<T extends @Nullable Object, E extends Exception> {
    /** Does the work, and returns what it came to. */
    T call() throws E;
}
