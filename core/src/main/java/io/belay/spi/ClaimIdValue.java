package io.belay.spi;

/** The record behind an id of a claim; only this package makes one. */
record ClaimIdValue(long client, long number) implements ClaimId {
    @Override
    public String toString() {
        return Long.toHexString(client) + "-" + number;
    }
}
