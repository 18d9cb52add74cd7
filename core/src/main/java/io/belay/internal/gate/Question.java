package io.belay.internal.gate;

import io.belay.internal.machine.Machine;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A question to the store about a hold, whose future is done with what it refused, or nothing. */
final class Question extends Machine.Ticket {
    final CompletableFuture<Optional<String>> answer = new CompletableFuture<>();

    Question(Hold hold) {
        super(hold);
    }
}
