package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.servers.CommandProxy;
import io.belay.servers.Pace;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client whose map of a cluster is old, or has holes. */
@Tag("topology")
@Tag("long")
class ClusterMapTest {
    private static final class Nobody implements Link.Listener {
        @Override
        public void pushed(Link link, byte[] message) {}

        @Override
        public void broken(Link link) {}
    }

    /** All that the URL names tell of it as those do that met another node where it was last. */
    @Test
    void aMasterWhoseAddressNobodyKnowsKeepsNobodyFromTheOthersLocks() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(Version.V7_0)) {
            RedisServer first = cluster.nodes().get(0);
            RedisServer last = cluster.nodes().get(2);
            String slots = "return {{0, 5460, {'127.0.0.1', " + first.port() + "}}, {5461, 10922, {'', 0}},"
                    + " {10923, 16383, {'127.0.0.1', " + last.port() + "}}}";
            try (CommandProxy node = CommandProxy.to(
                    last, command -> command.is("CLUSTER") ? CommandProxy.Command.of("EVAL", slots, "0") : command)) {
                String url = "redis-cluster://127.0.0.1:" + node.port();
                try (Belay belay = Belay.connect(url)) {
                    assertThat(belay.lock(nameOf(2)).acquire().isHeld()).isTrue();
                }
                assertThat(BelayAdmin.examine(url))
                        .anyMatch(finding -> finding.finding().startsWith("5462 of 16384 slots have no master"));
            }
        }
    }

    /** Returns the first slot of a cluster's master, by its number. */
    private static int firstSlot(int master) {
        return RedisCluster.SLOTS * master / 3;
    }

    /** Returns a name whose lock that master has. */
    private static String nameOf(int master) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "lock-" + i)
                .filter(name -> {
                    int slot = ClusterSlots.of(("belay:" + name).getBytes(StandardCharsets.US_ASCII));
                    return slot >= firstSlot(master) && slot < firstSlot(master + 1);
                })
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the reply of a node that finds the masters at those ports, as a script makes it.
     *
     * @param unknown what it says in place of a master that it does not find, whose port is 0 here
     */
    private static String slots(String unknown, int... ports) {
        return IntStream.range(0, ports.length)
                .mapToObj(i -> "{" + firstSlot(i) + ", " + (firstSlot(i + 1) - 1) + ", {"
                        + (ports[i] == 0 ? unknown : "'127.0.0.1', " + ports[i]) + "}}")
                .collect(Collectors.joining(", ", "return {", "}"));
    }

    private static List<String> clients(List<RedisServer> masters) throws IOException {
        List<String> numbers = new ArrayList<>();
        for (RedisServer master : masters) {
            numbers.add(master.command("CLIENT", "LIST", "TYPE", "pubsub").split(" ", 2)[0]);
        }
        return numbers;
    }

    /**
     * Two have met each other where they were last, as pods that have swapped their addresses, or have not heard each other's host
     * names yet; the third one knows both.
     */
    @ParameterizedTest
    @ValueSource(strings = {"'', 0", "'?', 6379"})
    void whoDoesNotKnowWhereAMasterIsEndsNoConnectionToIt(String unknown) throws Exception {
        Map<Integer, String> told = new ConcurrentHashMap<>();
        List<CommandProxy> nodes = new ArrayList<>();
        try (RedisCluster cluster = RedisCluster.start(Version.V7_0)) {
            List<RedisServer> masters = cluster.nodes().subList(0, 3);
            for (RedisServer master : masters) {
                nodes.add(CommandProxy.to(
                        master,
                        command -> command.word(1).equalsIgnoreCase("SLOTS")
                                ? CommandProxy.Command.of("EVAL", told.get(master.port()), "0")
                                : command));
            }
            int one = nodes.get(0).port();
            int other = nodes.get(1).port();
            int third = nodes.get(2).port();
            told.put(masters.get(0).port(), slots(unknown, one, 0, third));
            told.put(masters.get(1).port(), slots(unknown, 0, other, third));
            told.put(masters.get(2).port(), slots(unknown, one, other, third));
            try (Belay belay = Belay.connect("redis-cluster://127.0.0.1:" + one + ",127.0.0.1:" + other)) {
                List<String> atFirst = clients(masters);
                for (int i = 0; i < 20; i++) {
                    assertThat(belay.admin().names("").count()).isEqualTo(3L * Integer.signum(i));
                    for (int master = 0; master < 3; master++) {
                        belay.lock(nameOf(master)).acquire().close();
                    }
                }
                assertThat(clients(masters)).doesNotContain("").isEqualTo(atFirst);
            }
        } finally {
            nodes.forEach(CommandProxy::close);
        }
    }

    /** One that gets its first slot has none until the last key is there, and each ASK opens it anew where it was closed. */
    @Test
    void aNodeToWhichASlotIsOnItsWayIsNotHungUpOn() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(Version.V7_0);
                RedisServer next = RedisServer.start(Version.V7_0, "--cluster-enabled", "yes")) {
            Connector connector = Redis.at(ClusterTest.url(cluster)).connector();
            ClusterNodes nodes = new ClusterNodes(connector, "belay:" + Wire.hex(1), new ClusterNodes.Owner() {
                @Override
                public void pushed(Link from, byte[] message) {}

                @Override
                public void silenced(Link link, byte[] channel) {}

                @Override
                public void changed(boolean again) {}
            });
            try {
                nodes.connect();
                Address there = new Address("127.0.0.1", next.port());
                Link link = await().until(() -> nodes.linkAhead(there), Objects::nonNull);
                nodes.askedAnew().join();
                assertThat(link.isOpen()).isTrue();
                assertThat(nodes.linkAhead(there)).isSameAs(link);
            } finally {
                nodes.stop();
                connector.close();
            }
        }
    }

    /** It tries things out in a slot that its master had, and is to be told of what passes, as its next try will do. */
    @ParameterizedTest
    @EnumSource
    void whoConnectsByAnOldMapIsNotToldThatItsUrlIsWrong(Version version) throws Exception {
        try (RedisCluster cluster = RedisCluster.start(version)) {
            Connector connector = Redis.at(ClusterTest.url(cluster)).connector();
            try {
                Address master = new Address("127.0.0.1", cluster.nodes().get(0).port());
                Connector old = connector.at(master, RedisCluster.SLOTS - 1); // which is the last master's
                CompletableFuture<Link> made = old.connect("belay:" + Wire.hex(1), new Nobody(), Pace.patience(), true);
                StoreException told = old.failures().of(catchThrowable(made::join), Duration.ofSeconds(2));
                assertThat(told.isTemporary()).isTrue();
                assertThat(told)
                        .hasMessage("Redis at " + master + " has just given a slot to another node of the cluster");
            } finally {
                connector.close();
            }
        }
    }
}
