package io.belay.internal.gate;

import io.belay.internal.machine.Present;
import org.jspecify.annotations.Nullable;

/**
 * A client's knowledge of a claim of its own, which is better than the store's.
 *
 * @param present who has the lock now, or null
 * @param localWaiters how many waiters of this client stand behind the claim
 */
public record LocalClaimInfo(@Nullable Present present, int localWaiters) {}
