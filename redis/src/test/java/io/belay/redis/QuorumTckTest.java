package io.belay.redis;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** Locks on a majority of three servers. */
@Tag("topology")
class QuorumTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException, InterruptedException {
        QuorumServers servers = new QuorumServers(3, "longest-lease=10m&member-timeout=5s");
        return new StoreSpec() {
            @Override
            public String url() {
                return servers.url();
            }

            @Override
            public boolean queues() {
                return false;
            }

            @Override
            public void close() {
                servers.close();
            }
        };
    }
}
