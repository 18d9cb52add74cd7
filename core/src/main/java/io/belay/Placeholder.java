package io.belay;

/** Stands in until the package has a type: an exported package must not be empty. Delete it. */
public interface Placeholder {}
