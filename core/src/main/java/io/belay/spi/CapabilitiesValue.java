package io.belay.spi;

/** The record behind what a store can do; only this package makes one. */
record CapabilitiesValue(boolean push, boolean leasePerClaim, boolean durableTokens, boolean expiry, boolean sharing)
        implements Capabilities {}
