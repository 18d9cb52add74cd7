package io.belay;

import java.util.List;
import java.util.Objects;

/**
 * A wait that has lasted for longer than {@link BelayOptions#withSlowWait the threshold} and goes on. Two of them whose
 * waiters hold what the other wants are a deadlock.
 *
 * @param waiter who waits, for what, and how long so far
 * @param ahead the claims of all clients on that lock, holders first; empty if the store did not tell in time
 * @param holds what the same thread holds in this client
 */
public record SlowWait(OwnWait waiter, List<Inspection.Claim> ahead, List<OwnHold> holds) {
    /** Copies the lists. */
    public SlowWait {
        Objects.requireNonNull(waiter, "waiter");
        ahead = List.copyOf(Objects.requireNonNull(ahead, "ahead"));
        holds = List.copyOf(Objects.requireNonNull(holds, "holds"));
    }
}
