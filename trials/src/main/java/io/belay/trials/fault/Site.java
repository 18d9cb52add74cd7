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

    /** The stretches of network that one client uses; empty if there are none. */
    List<TcpProxy> network(int client);

    /** Waits until another server has taken the place of this one, where there is one that can. */
    default void awaitFailover(RedisServer former) throws IOException, InterruptedException {}

    @Override
    void close();
}
