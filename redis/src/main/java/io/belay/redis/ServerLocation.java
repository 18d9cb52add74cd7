package io.belay.redis;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The place where a server is to be found.
 *
 * @param kind what listens at the addresses
 * @param addresses where it listens, or where to ask for it; empty for a socket
 * @param socket the path of its socket; empty for a host
 * @param master what the sentinels call it; empty if none are asked
 */
record ServerLocation(Kind kind, List<Address> addresses, String socket, String master) {
    enum Kind {
        /** The server itself. */
        SERVER,
        /** Nodes of the cluster that it belongs to. */
        CLUSTER,
        /** Sentinels, which know where it is. */
        SENTINELS,
        /** A sentinel, which is asked itself. */
        SENTINEL,
        /** The master that the sentinels name. */
        MASTER
    }

    static ServerLocation of(String socket) {
        return new ServerLocation(Kind.SERVER, List.of(), socket, "");
    }

    /** Returns the place of one server among many: a node of the cluster, or the master that the sentinels name. */
    ServerLocation at(Address address) {
        return new ServerLocation(kind == Kind.SENTINELS ? Kind.MASTER : kind, List.of(address), socket, master);
    }

    ServerLocation ofSentinel(Address address) {
        return new ServerLocation(Kind.SENTINEL, List.of(address), "", master);
    }

    /** Returns the place as it stands in messages. */
    String describe() {
        return switch (kind) {
            case SERVER -> "Redis at " + (socket.isEmpty() ? list() : socket);
            case CLUSTER -> (addresses.size() > 1 ? "Redis cluster at " : "Redis at ") + list();
            case SENTINELS -> "The sentinels at " + list();
            case SENTINEL -> "Sentinel at " + list();
            case MASTER -> "Redis at " + list() + ", the master '" + master + "',";
        };
    }

    String list() {
        return addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
    }
}
