/**
 * Fences: guards of data that refuse a holder of a lock who comes after its successor. {@link io.belay.fence.Fence} is what
 * they have in common, {@link io.belay.fence.FencingToken} what they compare.
 *
 * <p>A guard for SQL is in {@code belay-jdbc}, for Redis in {@code belay-redis}, for MongoDB in {@code belay-mongodb}, for files
 * in {@code belay-file}. {@code belay-http} and {@code belay-spring} send tokens to other services, by
 * {@link io.belay.fence.FencingTokenHeader}.
 */
@NullMarked
package io.belay.fence;

import org.jspecify.annotations.NullMarked;
