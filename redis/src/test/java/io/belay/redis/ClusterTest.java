package io.belay.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.servers.Certificates;
import io.belay.servers.Pace;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.SlotMigration;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Finding;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slots that move, masters that die: on real clusters. */
@Tag("topology")
@Tag("long")
class ClusterTest {
    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final BelayOptions OPTIONS =
            BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(LEASE));

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private <T extends AutoCloseable> T open(T opened) {
        open.add(opened);
        return opened;
    }

    /** All nodes are named, so that any of them may be down. */
    static String url(RedisCluster cluster) {
        List<String> hosts =
                cluster.nodes().stream().map(node -> "127.0.0.1:" + node.port()).toList();
        return "redis-cluster://" + String.join(",", hosts);
    }

    private Belay client(RedisCluster cluster) {
        return open(Belay.connect(url(cluster), OPTIONS));
    }

    private static Request.Enter enter(long client) {
        return enter("x", ClaimId.of(client, 1));
    }

    private static Request.Enter enter(String name, ClaimId id) {
        Owner owner = Owner.of("test", "host", 1, "main");
        return Request.Enter.of(name, id, ClaimSpec.whole(30_000_000), 0, owner);
    }

    @ParameterizedTest
    @EnumSource
    void resp2IsSpokenWhereChannelsAreThoseOfAllNodes(Version version) throws Exception {
        RedisCluster cluster = open(RedisCluster.start(version));
        String url = url(cluster) + "?protocol=resp2";
        if (version == Version.V6_2) {
            open(Belay.connect(url)).lock("x").acquire().close();
        } else {
            assertThat(Told.unusable(url)).contains("speaks RESP3 alone: leave protocol=resp2 out of the URL");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aGrantIsPushedWhereTheSlotIs(Version version) throws Exception {
        RedisCluster cluster = open(RedisCluster.start(version));
        String url = withLeastRights(cluster, version);
        int slot = cluster.slotOf("belay:x");
        RecordingListener waiter = new RecordingListener();
        RecordingListener holder = new RecordingListener();
        Store first = open(Redis.at(url).open(1, holder));
        Store second = open(Redis.at(url).open(2, waiter));
        first.send(enter(1)).toCompletableFuture().join();
        second.send(enter(2)).toCompletableFuture().join();

        // It is the waiter who has to notice that the slot has moved: nobody asks anything meanwhile.
        RedisServer source = cluster.masterOf(slot);
        RedisServer target = cluster.nodes().subList(0, 3).stream()
                .filter(node -> node != source)
                .findFirst()
                .orElseThrow();
        SlotMigration migration = cluster.migrate(slot, target);
        migration.moveKeys();
        // The key is there, the slot is not: ASK.
        assertThat(second.inspect("x")
                        .toCompletableFuture()
                        .join()
                        .resource()
                        .orElseThrow()
                        .claims())
                .hasSize(2);
        migration.finish();
        if (version != Version.V6_2) { // where a broadcast comes over every node, as far as they are known
            await().until(() -> waiter.reconnects.get() > 0);
        } else {
            second.inspect("x").toCompletableFuture().join();
        }
        first.send(Request.Leave.of("x", ClaimId.of(1, 1), false))
                .toCompletableFuture()
                .join();
        await().until(() -> !waiter.pushes.isEmpty());
        Push push = waiter.pushes.element();
        assertThat(push.granted()).isTrue();
        assertThat(push.id()).isEqualTo(ClaimId.of(2, 1));
        assertThat(holder.pushes).isEmpty();
        for (RedisServer node : cluster.nodes()) {
            assertThat(node.command("ACL", "LOG")).as("what was denied").isEmpty();
        }
    }

    @Test
    void nobodyListensForAClaimThatStaysTakenWhenItIsGivenBack() throws Exception {
        RedisCluster cluster = open(RedisCluster.start(Version.V7_0));
        RecordingListener waiter = new RecordingListener();
        Store first = open(Redis.at(url(cluster)).open(1, new RecordingListener()));
        Store second = open(Redis.at(url(cluster)).open(2, waiter));
        RedisServer master = cluster.masterOf(cluster.slotOf("belay:x"));
        String ofSecond =
                "belay:{" + new String(ClusterSlots.tag(cluster.slotOf("belay:x")), StandardCharsets.US_ASCII) + "}*2";
        AtomicInteger number = new AtomicInteger();
        await().until(
                        () -> { // once more where two seconds have passed from the grant to the fix
                            int i = number.incrementAndGet();
                            waiter.pushes.clear();
                            first.send(enter("x", ClaimId.of(1, i)))
                                    .toCompletableFuture()
                                    .join();
                            second.send(enter("x", ClaimId.of(2, i)))
                                    .toCompletableFuture()
                                    .join();
                            await().until(() -> !master.command("PUBSUB", "SHARDCHANNELS", ofSecond)
                                    .isEmpty());
                            first.send(Request.Leave.of("x", ClaimId.of(1, i), false))
                                    .toCompletableFuture()
                                    .join();
                            await().until(() -> !waiter.pushes.isEmpty());
                            long sequence = waiter.pushes.element().sequence();
                            return second.send(Request.Fix.of("x", ClaimId.of(2, i), sequence, 0, 3_600_000_000L))
                                            .toCompletableFuture()
                                            .join()
                                            .state()
                                    == Answer.State.GRANTED;
                        });
        await().until(() -> master.command("PUBSUB", "SHARDCHANNELS", ofSecond).isEmpty());
    }

    /** What is tried out there as a client connects begins like that, in the first slot of each master. */
    @ParameterizedTest
    @EnumSource
    void whoConnectsLeavesALockAsItIsThatIsCalledLikeTheTagOfASlot(Version version) throws Exception {
        RedisCluster cluster = open(RedisCluster.start(version));
        String name = "{" + new String(ClusterSlots.tag(0), StandardCharsets.US_ASCII) + "}";
        LockOptions patient = LockOptions.defaults().withLease(Duration.ofMinutes(10));
        Lease held = client(cluster).lock(name, patient).acquire();
        RedisServer master = cluster.masterOf(0);
        String before = master.command("DUMP", "belay:" + name);
        client(cluster);
        assertThat(master.command("DUMP", "belay:" + name)).isEqualTo(before);
        assertThat(held.isHeld()).isTrue();
    }

    /** Also those that are needed only once a slot moves, a client leaves a channel, or a claim is ended by force. */
    @Test
    void aRightThatIsMissingIsNamedWhenConnecting() throws Exception {
        RedisCluster cluster = open(RedisCluster.start(Version.V7_0));
        String url = withLeastRights(cluster, Version.V7_0);
        for (String right : List.of("cluster|slots", "asking", "ssubscribe", "sunsubscribe", "spublish", "publish")) {
            allow(cluster, "-" + right);
            assertThat(Told.unusable(url)).as(right).contains("denies its user a right", "+" + right);
            allow(cluster, "+" + right);
        }
        open(Redis.at(url).open(1, new RecordingListener()));
    }

    @Test
    void aRightThatIsTakenAwayIsNamedWhereARedirectCannotBeFollowed() throws Exception {
        RedisCluster cluster = open(RedisCluster.start(Version.V7_0));
        Store store = open(Redis.at(withLeastRights(cluster, Version.V7_0)).open(1, new RecordingListener()));
        store.send(enter(1)).toCompletableFuture().join();
        int slot = cluster.slotOf("belay:x");
        RedisServer source = cluster.masterOf(slot);
        RedisServer target = cluster.nodes().subList(0, 3).stream()
                .filter(node -> node != source)
                .findFirst()
                .orElseThrow();
        SlotMigration migration = cluster.migrate(slot, target);
        migration.moveKeys();
        allow(cluster, "-asking");
        assertThatThrownBy(() -> store.inspect("x").toCompletableFuture().join())
                .hasMessageContaining("SETUSER NAME +asking (");
        allow(cluster, "+asking");
        assertThat(store.inspect("x").toCompletableFuture().join().resource()).isPresent();
        migration.finish();
    }

    private static void allow(RedisCluster cluster, String rule) throws Exception {
        for (RedisServer node : cluster.nodes()) {
            node.command("ACL", "SETUSER", "shop", rule);
        }
    }

    /** Of which the first has lost what it knew. */
    @Test
    void whoKnowsFormerMastersAloneAsksTheNodesOfTheUrl() throws Exception {
        RedisCluster cluster = open(RedisCluster.start(Version.V7_0));
        List<RedisServer> named = cluster.nodes().subList(0, 3);
        Store store = open(Redis.at("redis-cluster://"
                        + named.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(",")))
                .open(1, new RecordingListener()));
        for (int i = 0; i < 3; i++) {
            cluster.nodes().get(i + 3).command("CLUSTER", "FAILOVER", "TAKEOVER");
            RedisServer former = named.get(i);
            await().until(() -> former.role().equals("slave"));
        }
        String directory =
                named.get(0).command("CONFIG", "GET", "dir").lines().toList().get(1);
        for (RedisServer former : named) {
            former.stop(); // so that none tells of it as the others go
        }
        for (RedisServer former : named) {
            former.kill();
        }
        Files.delete(Path.of(directory, "nodes.conf"));
        for (RedisServer former : named) {
            former.restart();
        }
        await().ignoreExceptions()
                .until(() -> store.send(enter(1))
                        .toCompletableFuture()
                        .get(Pace.seconds(), SECONDS)
                        .state()
                        .equals(Answer.State.GRANTED));
    }

    @Test
    void whileAMasterIsAwayTheOthersAreNotAskedAgainAndAgainWhichSlotsTheyHave() throws Exception {
        RedisCluster cluster = open(RedisCluster.start(Version.V7_0));
        Store store = open(Redis.at(url(cluster)).open(1, new RecordingListener()));
        List<RedisServer> left = new ArrayList<>(cluster.nodes());
        RedisServer away = cluster.masterOf(cluster.slotOf("belay:x"));
        RedisServer replica = cluster.nodes().get(cluster.nodes().indexOf(away) + 3);
        left.removeAll(List.of(away, replica));
        replica.kill();
        away.kill();
        await().until(() -> store.inspect("x").toCompletableFuture().isCompletedExceptionally());
        long before = questions(left);
        long begun = System.nanoTime();
        long requests = 0;
        while (System.nanoTime() - begun < 1_000_000_000) {
            assertThat(store.inspect("x").toCompletableFuture()).isCompletedExceptionally();
            requests++;
        }
        long asked = questions(left) - before;
        long pauses = (System.nanoTime() - begun) / 100_000_000;
        assertThat(asked).as("of %s requests", requests).isLessThanOrEqualTo(pauses + 2);
    }

    private static long questions(List<RedisServer> nodes) throws Exception {
        long sum = 0;
        for (RedisServer node : nodes) {
            Matcher calls = Pattern.compile("cmdstat_cluster\\|slots:calls=(\\d+)")
                    .matcher(node.command("INFO", "commandstats"));
            sum += calls.find() ? Long.parseLong(calls.group(1)) : 0;
        }
        return sum;
    }

    /** The URL for a user who may do what docs/redis.md names, and no more. */
    static String withLeastRights(RedisCluster cluster, Version version) throws Exception {
        String page = Files.readString(Path.of("..", "docs", "redis.md"));
        String rights = Settings.parse("redis-cluster://localhost").rights();
        String alone = Settings.parse("redis://localhost").rights();
        String more = rights.substring(alone.length()).strip();
        assertThat(page).contains("`" + more + "`").contains("ACL SETUSER shop on >PASSWORD " + alone);
        List<String> words = new ArrayList<>(List.of(("ACL SETUSER shop on >PASSWORD " + rights).split(" ")));
        if (version == Version.V6_2) {
            words.removeAll(List.of("+ssubscribe", "+sunsubscribe", "+spublish"));
        }
        for (RedisServer node : cluster.nodes()) {
            node.command(words.toArray(String[]::new));
        }
        return url(cluster).replace("//", "//shop:PASSWORD@");
    }

    @Test
    void locksGoOnWhileTheirSlotsMove() throws Exception {
        RedisCluster cluster = open(RedisCluster.start(Version.V7_0));
        Rivals rivals = open(new Rivals(List.of(client(cluster), client(cluster)), "a", "b"));
        List<RedisServer> masters = cluster.nodes().subList(0, 3);
        for (int round = 0; round < 3; round++) {
            for (String name : rivals.names()) {
                int slot = cluster.slotOf("belay:" + name);
                RedisServer source = cluster.masterOf(slot);
                RedisServer target = masters.get((masters.indexOf(source) + 1) % masters.size());
                SlotMigration migration = cluster.migrate(slot, target);
                rivals.awaitMore(10);
                migration.finish();
                rivals.awaitMore(10);
            }
        }
        rivals.end();
        assertThat(rivals.losses()).as("leases lost").isZero();
        assertThat(rivals.overlaps()).as("two at once").isZero();
    }

    @Test
    void aMasterThatIsSilentOrDiesIsReplacedAndDelaysNobodyElse() throws Exception {
        RedisCluster cluster = open(RedisCluster.start(Version.V7_0));
        Belay steady = client(cluster);
        Rivals rivals = open(new Rivals(List.of(client(cluster), client(cluster)), "a", "b", "c", "d", "e", "f"));
        RedisServer victim = cluster.masterOf(cluster.slotOf("belay:a"));
        List<Lease> elsewhere = new ArrayList<>();
        for (int i = 0; elsewhere.size() < 20; i++) {
            if (cluster.masterOf(cluster.slotOf("belay:steady" + i)) != victim) {
                elsewhere.add(steady.lock("steady" + i).acquire());
            }
        }
        // It may be on a master that is replaced, for which a cluster takes its time.
        LockOptions patient = LockOptions.defaults().withLease(LEASE.multipliedBy(10));
        CompletableFuture<Lease> waiter =
                client(cluster).lock("steady-too", patient).acquireAsync();
        rivals.awaitMore(50);
        cluster.failOverStopped(victim); // to its clients it is silent, not gone
        rivals.awaitMore(50);
        assertThat(elsewhere).allMatch(Lease::isHeld);
        elsewhere.forEach(lease -> assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED));
        victim.resume();
        rivals.awaitMore(50);
        cluster.failOver(cluster.masterOf(cluster.slotOf("belay:b")));
        rivals.awaitMore(50);
        rivals.end();
        assertThat(waiter.get(Pace.seconds(), SECONDS).release()).isEqualTo(ReleaseOutcome.RELEASED);
        rivals.assertGuarded();
    }

    @Test
    void itsNodesMayTalkTlsOnly() throws Exception {
        Certificates certificates = open(Certificates.create());
        RedisCluster cluster = open(RedisCluster.start(Version.V7_0, certificates));
        assertThat(Told.unavailable(url(cluster))).contains("if it speaks TLS there, write rediss-cluster://");
        String secure = url(cluster).replaceFirst("redis", "rediss") + "?ca=" + certificates.caFile();
        HandOver.between(open(Belay.connect(secure)), open(Belay.connect(secure)));
    }

    @ParameterizedTest
    @EnumSource
    void theDoctorNamesRightsThatLocksNeed(Version version) throws Exception {
        RedisCluster cluster = open(RedisCluster.start(version));
        String url = withLeastRights(cluster, version);
        assertThat(BelayAdmin.examine(url))
                .noneMatch(finding -> finding.subject().equals("rights"));
        String missing =
                version == Version.V6_2 ? "+eval +asking" : "+eval +asking +spublish +ssubscribe +sunsubscribe";
        for (RedisServer node : cluster.nodes()) {
            node.command(("ACL SETUSER shop " + missing.replace('+', '-')).split(" "));
        }
        assertThat(BelayAdmin.examine(url))
                .filteredOn(finding -> finding.subject().equals("rights"))
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.cure()).isEqualTo("Run ACL SETUSER shop " + missing + " to grant them."));
    }

    @Test
    void theDoctorLooksAtEveryMaster() throws Exception {
        RedisCluster cluster = open(RedisCluster.start(Version.V7_0));
        RedisServer first = cluster.nodes().get(0);
        first.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        cluster.nodes().get(4).kill(); // the second master's replica
        await().untilAsserted(() -> assertThat(BelayAdmin.examine(url(cluster)))
                .anyMatch(finding -> finding.subject().equals("eviction")
                        && finding.finding().startsWith("127.0.0.1:" + first.port() + ": "))
                .anyMatch(finding -> finding.subject().equals("fail-over")
                        && finding.finding()
                                .startsWith(
                                        "127.0.0.1:" + cluster.nodes().get(1).port() + " has no replica"))
                .filteredOn(finding -> finding.subject().equals("persistence"))
                .hasSize(1));
        cluster.nodes().get(1).kill();
        await().untilAsserted(() -> assertThat(BelayAdmin.examine(url(cluster)))
                .anyMatch(finding -> finding.severity() == Finding.Severity.DANGER
                        && finding.subject().equals("slots")));
    }
}
