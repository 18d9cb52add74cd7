package io.belay.spi;

/** The record behind a confirmation; only this package makes one. */
record ConfirmationValue(int replicas, int wanted) implements Confirmation {}
