package io.belay.redis;

/** The way in which a script tells other clients, and so where they listen. */
enum Publishing {
    /** Publishing on the one server that there is, which knows whether anybody heard it. */
    SERVER("publish", "PUBLISH"),
    /** Publishing through all nodes of a cluster, which is all that Redis before 7.0 can do. */
    BROADCAST("publish-broadcast", "PUBLISH"),
    /** Publishing on a channel in the key's own slot, which only the nodes of that slot hear of. */
    SHARDED("publish-sharded", "SPUBLISH"),
    /** Publishing by the client that has asked, once it has the answer, as the server lets no script publish. */
    OUTSIDE("publish-outside", "");

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
