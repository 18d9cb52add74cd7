package io.belay.spi;

/** The record behind what a claim asks for; only this package makes one. */
record ClaimSpecValue(int capacity, int weight, long lease, long fixedLease, boolean ifFree, boolean sticky)
        implements ClaimSpec {}
