package io.belay.internal.gate;

import io.belay.Lease;
import io.belay.internal.machine.Asks;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A wait for a future that can end only where it can be told, as for want of memory. */
public final class Unwakeable extends Hold {
    /** Whether it cannot be told. */
    public boolean fails;
    /** How often it could not be told. */
    public int failures;

    public Unwakeable(Gate gate, Asks asks, CompletableFuture<Lease> future) {
        super(gate, asks, false, new Completion<>(future, Optional::orElseThrow));
    }

    @Override
    boolean needsWakeUp() {
        if (fails) {
            failures++;
            throw new NoClassDefFoundError("thrown by the test");
        }
        return super.needsWakeUp();
    }
}
