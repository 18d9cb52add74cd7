package io.belay.internal;

import io.belay.spi.ClaimId;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of a claim of its own, better than the store does.
 *
 * @param id the claim
 * @param thread the thread that holds the lock now, or null
 * @param localWaiters how many wait behind it here
 */
record Glimpse(ClaimId id, @Nullable String thread, int localWaiters) {}
