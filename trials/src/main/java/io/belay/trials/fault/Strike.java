package io.belay.trials.fault;

import java.io.IOException;
import java.util.Random;

/** One kind of thing that goes wrong. */
interface Strike {
    /** What must be there. */
    enum Target {
        CLIENTS,
        SERVERS,
        /** What lies between a client and the servers. */
        NETWORK,
        /** What of that is known to be a push. */
        PUSHES,
        /** What of that is known to be a script. */
        SCRIPTS,
        /** What lies between servers that elect a leader. */
        PEERS,
        MASTER,
        /** What is moved between the masters of a cluster. */
        SLOTS,
        CLOCK,
        DISK
    }

    /** What it is done to. */
    Target target();

    /** Whether it lets servers stand still, who then go on as if no time had passed. */
    default boolean stopsServers() {
        return false;
    }

    /** Does it, and arranges for its end. */
    void at(Scene scene, Random random) throws IOException, InterruptedException;
}
