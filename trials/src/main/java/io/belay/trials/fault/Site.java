package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import io.belay.servers.Restartable;
import io.belay.servers.SlotMigration;
import io.belay.servers.TcpProxy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/** A store with its servers, if it has any, and the network before them. */
interface Site extends AutoCloseable {
    /** Returns the URL at which a client finds the store. */
    String url(int client);

    /** Returns the store's servers, to be killed and stopped; empty if it has none. */
    List<? extends Restartable> servers();

    /** Returns the servers of which faults ask more than that, such as a jump of the clock; empty if there are none. */
    default List<RedisServer> redis() {
        return List.of();
    }

    /** A server to strike, and what it is among the others. */
    record Victim(Restartable server, String role) {}

    /** Draws a server to which nothing is done yet; returns none if this is not the time. */
    default Optional<Victim> victim(Random random, Predicate<Object> struck) {
        Restartable any = servers().get(random.nextInt(servers().size()));
        return struck.test(any) ? Optional.empty() : Optional.of(new Victim(any, "server"));
    }

    /** Draws a server that others lead, if nothing is done to any of them yet; returns none if there is none. */
    default Optional<Restartable> follower(Random random, Predicate<Object> struck) {
        return Optional.empty();
    }

    /** A slot on its way to a server. */
    record SlotMove(SlotMigration migration, Restartable target) {}

    /** Begins to move the slot of some key; returns none if nothing can be moved now. */
    default Optional<SlotMove> moveSlot(Random random) throws IOException {
        return Optional.empty();
    }

    /** Cuts a server off from the others, but not from the clients: what it says, what it hears, or both. */
    default void cutOff(Restartable server, boolean says, boolean hears) {
        throw new UnsupportedOperationException("no others");
    }

    /** Ends what {@link #cutOff} did to a server. */
    default void heal(Restartable server) {
        throw new UnsupportedOperationException("no others");
    }

    /** The room that a store has for what is written. What reads is answered in any case. */
    enum Room {
        PLENTY,
        /** There is room for what takes none: a store that knows the difference refuses only what is new. */
        NOTHING_NEW,
        /** The store refuses all that writes. */
        NONE;

        /** Lets a Redis have this room. */
        void of(RedisServer server) throws IOException {
            server.command("CONFIG", "SET", "maxmemory", this == NOTHING_NEW ? "1" : "0");
            server.command("CONFIG", "SET", "min-replicas-to-write", this == NONE ? "9" : "0");
        }
    }

    /** Lets the store have this room from now on. */
    default void have(Room room) throws IOException {
        for (RedisServer server : redis()) {
            room.of(server);
        }
    }

    /** Asks a watcher for a fail-over, of those that there are the one that the number tells; returns whether it begins. */
    default boolean failOver(int watcher) throws IOException {
        return false;
    }

    /** Returns whether all clients share the stretches of network, each of which leads to one member. */
    default boolean sharesNetwork() {
        return false;
    }

    /** Returns whose stretch of network that of a client is, as it is named in the history: the client's, or a member's. */
    default String wayOf(int client) {
        return Integer.toString(client);
    }

    /** Returns the servers that can take the place of the first one now; empty if there are none. */
    default List<RedisServer> replicas() throws IOException {
        return List.of();
    }

    /** The stretches of network that one client uses; empty if there are none. */
    List<TcpProxy> network(int client);

    /** Waits until another server has taken the place of this one, and returns it; returns this one where none can. */
    default RedisServer awaitFailover(RedisServer former) throws IOException, InterruptedException {
        return former;
    }

    @Override
    void close();
}
