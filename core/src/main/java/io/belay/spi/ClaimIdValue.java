package io.belay.spi;

/**
 * The record behind an id of a claim; only this package makes one. Its own equals and hashCode are for class loaders: those that
 * Java makes of a record leave its class in a cache of JDK 17's until another record is compared for the first time.
 */
record ClaimIdValue(long client, long number) implements ClaimId {
    @Override
    public boolean equals(Object other) {
        return other instanceof ClaimIdValue that && client == that.client && number == that.number;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(client) + Long.hashCode(number); // as a record's
    }

    @Override
    public String toString() {
        return Long.toHexString(client) + "-" + number;
    }
}
