package io.belay.redis;

/** How a script tells other clients, and so where they listen. */
enum Publishing {
    /** On the one server that there is: it knows whether anybody heard it. */
    SERVER("publish", "PUBLISH"),
    /** Through all nodes of a cluster, which is all that Redis before 7.0 can do. */
    BROADCAST("publish-broadcast", "PUBLISH"),
    /** On a channel in the key's own slot, which only the nodes of that slot hear of. */
    SHARDED("publish-sharded", "SPUBLISH");

    final String file;
    final String command;

    Publishing(String file, String command) {
        this.file = file;
        this.command = command;
    }

    static Publishing of(ServerInfo server) {
        return !server.isCluster() ? SERVER : server.isAtLeast(7, 0) ? SHARDED : BROADCAST;
    }
}
