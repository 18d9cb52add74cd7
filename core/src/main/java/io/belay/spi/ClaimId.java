package io.belay.spi;

/**
 * The name of one stay of one claim in the queue of one resource. An id is never used again: a client that wants the
 * resource once more takes the next number.
 *
 * @param client the random 64-bit number of the client that entered the claim; grants are pushed to it
 * @param number counts the claims of that client
 */
public record ClaimId(long client, long number) {
    /** The number of no client: a claim of it belongs to nobody, outlives every client, and is told nothing. */
    public static final long NOBODY = -1;

    @Override
    public String toString() {
        return Long.toHexString(client) + "-" + number;
    }
}
