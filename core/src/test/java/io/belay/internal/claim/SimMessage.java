package io.belay.internal.claim;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import org.jspecify.annotations.Nullable;

/** A message in flight between a client and the store. */
sealed interface SimMessage {
    /** The client that sent it or is to get it. */
    int client();

    /**
     * A request on its way to the store.
     *
     * @param sent when it was sent; 0 for a leave, of which nobody needs it
     * @param number counts the claim's requests; 0 where it does not matter which one is answered
     */
    record Asked(int client, Request request, long sent, int number) implements SimMessage {}

    /**
     * An answer on its way to the client.
     *
     * @param answer null for that of a leave: that it came is all that counts
     */
    record Answered(int client, ClaimId id, @Nullable Answer answer, long sent, int number) implements SimMessage {}

    /** A push on its way to the client. */
    record Pushed(int client, Push push) implements SimMessage {}
}
