package io.belay.spi;

/**
 * The name of one stay of one claim in the queue of one resource. An id is never used again: a client that wants the
 * resource once more takes the next number.
 */
public sealed interface ClaimId permits ClaimIdValue {
    /** The number of no client: a claim of it belongs to nobody, outlives every client, and is told nothing. */
    long NOBODY = -1;

    /**
     * Makes an id.
     *
     * @param client as {@link #client()}
     * @param number as {@link #number()}: not used by that client before
     */
    static ClaimId of(long client, long number) {
        return new ClaimIdValue(client, number);
    }

    /** Returns the random 64-bit number of the client that entered the claim; grants are pushed to it. */
    long client();

    /** Returns the claim's number among those of that client. */
    long number();
}
