package io.belay.trials.fault;

import java.io.IOException;
import java.util.Random;

/** A kind of thing that goes wrong in a trial. */
interface Strike {
    /** The part of a store that a strike is done to, and that must be there. */
    enum Target {
        CLIENTS,
        SERVERS,
        /** The network between a client and the servers. */
        NETWORK,
        /** The pushes on that network, where they are known as such. */
        PUSHES,
        /** The scripts on that network, where they are known as such. */
        SCRIPTS,
        /** The network between servers that elect a leader. */
        PEERS,
        MASTER,
        /** The slots that can be moved between the masters of a cluster. */
        SLOTS,
        CLOCK,
        DISK,
        /** The room for what is written, of which a store can have none left. */
        ROOM
    }

    /** Returns what this strike is done to. */
    Target target();

    /** Returns whether this strike lets servers stand still, which then go on as if no time had passed. */
    default boolean stopsServers() {
        return false;
    }

    /** Strikes, and arranges for the end of that. */
    void at(Scene scene, Random random) throws IOException, InterruptedException;
}
