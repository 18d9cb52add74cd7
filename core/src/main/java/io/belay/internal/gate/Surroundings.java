package io.belay.internal.gate;

import io.belay.internal.claim.Engine;
import io.belay.internal.machine.Terms;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The things around a gate: the client that it is in, and what is there beside it. */
public interface Surroundings {
    Engine engine();

    /** Returns the family for which a lock is counted. */
    Families.Family family(String lock);

    /** Returns the number of a new gate, of which this client has no other. */
    int newNumber();

    /** Knows a gate no more that nobody uses. */
    void retire(Terms terms, Gate gate);

    /** Returns after how many nanoseconds a wait is slow that was told so often; {@link Long#MAX_VALUE} for never. */
    long slowWait(int told);

    /** Returns after how many nanoseconds a hold is long; {@link Long#MAX_VALUE} for never. */
    long longHold();

    /** Has {@link Gate#look} called now and then; under the gate's lock. */
    void watch(Gate gate);

    /** Has it called no more; under the gate's lock. */
    void unwatch(Gate gate);

    /** Tells that waits for the same lock are slow; called without the lock. */
    void slow(List<Hold> waiters);

    /** Tells that a hold is long; called without the lock. */
    void longHeld(Hold hold);

    /** Reads who has taken a hold away by force, if anybody has and the store says so soon. */
    CompletableFuture<Optional<String>> forcedBy(Hold hold);
}
