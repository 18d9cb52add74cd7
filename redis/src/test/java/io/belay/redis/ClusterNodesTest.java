package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.FakeRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The nodes of a cluster that is down. */
class ClusterNodesTest {
    private static final class Nobody implements ClusterNodes.Owner {
        @Override
        public void pushed(Link from, byte[] message) {}

        @Override
        public void silenced(Link link, byte[] channel) {}

        @Override
        public void changed(boolean again) {}
    }

    /** Each time takes a connection of each, by all clients, while they are just starting. */
    @Test
    void theyAreAskedForTheirSlotsLessAndLessOften() throws IOException {
        List<Long> asked = new CopyOnWriteArrayList<>();
        try (FakeRedis starting = FakeRedis.start(name -> {
            if (name.equals("CLUSTER")) {
                asked.add(System.nanoTime());
                return "-LOADING Redis is loading the dataset in memory";
            }
            return name.equals("PING") ? "+PONG" : "-ERR unknown command '" + name + "'";
        })) {
            Connector connector =
                    Redis.at("redis-cluster://127.0.0.1:" + starting.port()).connector();
            ClusterNodes nodes = new ClusterNodes(connector, "belay:" + Wire.hex(1), new Nobody());
            try {
                nodes.refresh();
                await().until(() -> asked.size() > 6);
                assertThat(Duration.ofNanos(asked.get(6) - asked.get(0)))
                        .isGreaterThan(Duration.ofMillis(100 + 200 + 4 * 250 - 50));
            } finally {
                nodes.stop();
                connector.close();
            }
        }
    }
}
