package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import java.io.IOException;
import java.util.List;

/** A store with its servers, if it has any, and the network before them. */
interface Site extends AutoCloseable {
    /** Where a client finds it. */
    String url(int client);

    /** Its servers, to be killed and stopped; empty if it has none. */
    List<RedisServer> servers();

    /** Those that can take the place of the first of them now; empty if there are none. */
    default List<RedisServer> replicas() throws IOException {
        return List.of();
    }

    /** The stretches of network that one client uses; empty if there are none. */
    List<TcpProxy> network(int client);

    /** Waits until another server has taken the place of this one, and returns that; this one where none can. */
    default RedisServer awaitFailover(RedisServer former) throws IOException, InterruptedException {
        return former;
    }

    @Override
    void close();
}
