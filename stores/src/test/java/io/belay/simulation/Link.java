package io.belay.simulation;

/** A client's connection to the store, as far as it may be lost. */
interface Link {
    long client();

    Machine machine();

    /** The connection is lost; what is not answered may have run. */
    void cut();

    /** The connection is there again. */
    void heal();

    boolean isCut();
}
