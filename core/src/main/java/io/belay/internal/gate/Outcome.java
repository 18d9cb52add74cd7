package io.belay.internal.gate;

import io.belay.Lease;
import io.belay.LockStatistics.WaitEnd;
import java.util.Optional;
import java.util.function.Supplier;

/** The end of a wait: a {@link Hold}, nothing, or a failure that is made where it is thrown. */
public interface Outcome {
    /** The outcome of a wait for a lock that others had all the time. */
    Outcome NOT_HAD = new Failure(WaitEnd.TIMEOUT, Optional::empty);

    /** Returns the lease, or none; throws the failure. */
    Optional<Lease> lease();

    /** Returns how the wait is counted. */
    WaitEnd end();

    /** Begins to release what nobody takes, without waiting for the store. */
    default void discard() {}

    /** Returns the outcome of a wait that failed. */
    static Outcome failure(WaitEnd end, Supplier<? extends RuntimeException> failure) {
        return new Failure(end, () -> {
            throw failure.get();
        });
    }

    /** An outcome without a hold. */
    record Failure(WaitEnd end, Supplier<Optional<Lease>> result) implements Outcome {
        @Override
        public Optional<Lease> lease() {
            return result.get();
        }
    }
}
