package io.belay.internal.gate;

import io.belay.internal.machine.Machine;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What users ask the store within a call, so that a test can look at the answer, and at what happens before. */
public final class Questions {
    private Questions() {}

    /** Asks how a hold stands; the future is done once there is an answer. */
    public static CompletableFuture<Optional<String>> ask(Hold hold) {
        return hold.gate.ask(hold, Machine::ask).answer;
    }
}
