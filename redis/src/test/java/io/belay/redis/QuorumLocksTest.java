package io.belay.redis;

import io.belay.tck.LockContract;
import java.io.IOException;

/** Locks on a majority of three servers. */
class QuorumLocksTest extends LockContract {
    private final QuorumServers servers;

    QuorumLocksTest() throws IOException, InterruptedException {
        servers = new QuorumServers(3, "longest-lease=60s");
    }

    @Override
    protected String url() {
        return servers.url();
    }

    @Override
    protected void stop() {
        servers.close();
    }
}
