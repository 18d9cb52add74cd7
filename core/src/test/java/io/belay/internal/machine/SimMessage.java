package io.belay.internal.machine;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import org.jspecify.annotations.Nullable;

/** A message in flight between a client and the store. */
sealed interface SimMessage {
    /** The client that sent it or is to get it. */
    int client();

    /** A request on its way to the store; one of another than a machine has the number 0. */
    record Asked(int client, Request request, Sent sent) implements SimMessage {
        ClaimId id() {
            return ((Request.OfClaim) request).id();
        }
    }

    /**
     * An answer on its way to the client, or its failure.
     *
     * @param answer null if it failed
     * @param forGood whether it failed for good
     */
    record Answered(int client, ClaimId id, @Nullable Answer answer, boolean forGood, Sent sent)
            implements SimMessage {}

    /** A push on its way to the client. */
    record Pushed(int client, Push push) implements SimMessage {}
}
