package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.SlotMigration;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The names in a cluster, while its slots move and its masters change. */
@Tag("topology")
@Tag("long")
class ClusterNamesTest {
    private static final int NAMES = 200;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private RedisCluster cluster;

    private interface Meanwhile {
        void run() throws Exception;
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    /** Starts a cluster with locks on all masters, of which their replicas know. Returns its URL. */
    private String start(Version version) throws Exception {
        cluster = RedisCluster.start(version);
        open.add(cluster);
        String url = ClusterTest.url(cluster);
        try (Store store = Redis.at(url + "?replicas=1&replica-timeout=1900ms").open(1, new RecordingListener())) {
            List<CompletionStage<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                String name = "name-" + i;
                names.add(name);
                answers.add(store.send(Request.Enter.of(
                        name,
                        ClaimId.of(1, i),
                        ClaimSpec.whole(600_000_000),
                        0,
                        Owner.of("client", "host", 1, "main"))));
            }
            for (CompletionStage<Answer> answer : answers) {
                assertThat(answer.toCompletableFuture().join().confirmation().replicas())
                        .isPositive();
            }
        }
        return url;
    }

    private Store open(String url) {
        Store store = Redis.at(url).open(2, new RecordingListener());
        open.add(store);
        return store;
    }

    /** Returns the masters in the order in which they are read. */
    private List<RedisServer> masters() {
        return cluster.nodes().subList(0, 3).stream()
                .sorted(Comparator.comparing(node -> "127.0.0.1:" + node.port()))
                .toList();
    }

    /** Returns the slot of a name whose key is on that master. */
    private int slotOn(RedisServer master) throws Exception {
        for (String name : names) {
            int slot = cluster.slotOf("belay:" + name);
            if (cluster.masterOf(slot) == master) {
                return slot;
            }
        }
        throw new AssertionError("no name there");
    }

    /** Lists the names, and does something after the first page. Returns the number of pages. */
    private int list(Store store, Meanwhile meanwhile) throws Exception {
        Set<String> listed = new HashSet<>();
        int pages = 0;
        for (Optional<String> cursor = Optional.of(""); cursor.isPresent(); pages++) {
            String next = cursor.get();
            // A master that was replaced may not be known yet; the same cursor will do.
            Store.NamePage page = await().ignoreExceptions()
                    .until(
                            () -> store.names("name-", next)
                                    .toCompletableFuture()
                                    .join(),
                            got -> true);
            listed.addAll(page.names());
            cursor = page.next();
            if (pages == 0) {
                meanwhile.run();
            }
        }
        assertThat(listed).isEqualTo(names);
        return pages;
    }

    @ParameterizedTest
    @EnumSource
    void namesAreListedWhileTheirSlotsMove(Version version) throws Exception {
        start(version);
        String url = ClusterTest.withLeastRights(cluster, version);
        Store store = open(url);
        assertThatThrownBy(() -> store.names("", "").toCompletableFuture().join())
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "denies its user the right to list names, which locks do not need: grant it by ACL"
                                + " SETUSER NAME +scan +cluster|nodes (");
        for (RedisServer node : cluster.nodes()) {
            node.command("ACL", "SETUSER", "shop", "+scan", "+cluster|nodes");
        }
        assertThat(list(store, () -> {})).as("pages").isEqualTo(3);

        RedisServer first = masters().get(0);
        RedisServer last = masters().get(2);
        int slot = slotOn(last);
        SlotMigration[] migration = new SlotMigration[1];
        int pages = list(store, () -> {
            migration[0] = cluster.migrate(slot, first);
            migration[0].moveKeys();
        });
        assertThat(pages).as("pages, while a slot is on its way").isEqualTo(9);
        pages = list(store, () -> migration[0].finish());
        assertThat(pages).as("pages, as a slot has moved").isBetween(6, 9);
        assertThat(list(store, () -> {})).as("pages").isEqualTo(3);
        int other = slotOn(last);
        list(store, () -> cluster.migrate(other, first).finish());
    }

    @ParameterizedTest
    @EnumSource(names = "V7_0")
    void namesAreListedWhileAMasterIsReplaced(Version version) throws Exception {
        Store store = open(start(version));
        list(store, () -> cluster.failOver(masters().get(2)));
    }
}
