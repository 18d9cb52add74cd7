package io.belay.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.servers.ChildJvm;
import io.belay.servers.EtcdServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.Stalls;
import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rings of processes that wait for each other's locks: found soon, told in every field, and broken by one. */
@Timeout(600)
class RingsAcrossProcessesTest {
    private static final Duration ANY = Duration.ofSeconds(1);

    @TempDir
    private Path directory;

    private int number;

    @AfterAll
    static void endSpareProcesses() {
        RingParty.endSpare();
    }

    /** The kinds of store. */
    enum Kind {
        MEMORY,
        FILE,
        REDIS,
        QUORUM,
        POSTGRESQL,
        ETCD,
        ZOOKEEPER
    }

    /** What is done with the clients of a store. */
    private interface Body {
        void run(String url) throws Exception;
    }

    private void on(Kind kind, Body body) throws Exception {
        switch (kind) {
            case MEMORY -> body.run("memory:" + UUID.randomUUID());
            case FILE -> body.run("file:" + Files.createTempDirectory(directory, "locks"));
            case REDIS -> {
                try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0)) {
                    body.run(server.url());
                }
            }
            case QUORUM -> {
                try (RedisServer one = RedisServer.start(RedisServer.Version.V7_0);
                        RedisServer two = RedisServer.start(RedisServer.Version.V7_0);
                        RedisServer three = RedisServer.start(RedisServer.Version.V7_0)) {
                    // New members give no vote for so long, which has to be less than who connects waits for.
                    body.run("quorum:" + one.url() + "," + two.url() + "," + three.url() + "#longest-lease=30s");
                }
            }
            case POSTGRESQL -> {
                assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
                try (PostgresServer server = PostgresServer.start()) {
                    body.run(server.url() + "&belay-create=true");
                }
            }
            case ETCD -> {
                assumeTrue(EtcdServer.isInstalled(), "there is no etcd");
                try (EtcdServer server = EtcdServer.start()) {
                    body.run("etcd://127.0.0.1:" + server.port());
                }
            }
            case ZOOKEEPER -> {
                try (ZooKeeperServer server = ZooKeeperServer.start()) {
                    body.run(server.url());
                }
            }
        }
    }

    /** The same, and where the machine kept a client from what it was to do, again. */
    private void onceOrAgain(Kind kind, Body body) throws Exception {
        Premise.withLease(ANY, lease -> on(kind, body));
    }

    /** Makes rings of these, one of each kind at a time, and has them broken. */
    private void rings(List<RingParty> parties, Set<StagedRing.Kind> kinds) throws Exception {
        try (Stalls stalls = Stalls.watch(parties.size())) {
            List<StagedRing> rings = new ArrayList<>();
            for (StagedRing.Kind kind : kinds) {
                rings.add(StagedRing.of(parties, kind, "ring-" + ++number));
            }
            for (StagedRing ring : rings) {
                ring.breaks(stalls);
            }
        }
    }

    @Test
    @Tag("processes")
    void twoProcessesInARing() throws Exception {
        onceOrAgain(Kind.FILE, url -> {
            List<RingParty> parties = RingParty.start(url, 2);
            try {
                rings(parties, EnumSet.of(StagedRing.Kind.LOCKS));
            } finally {
                RingParty.end(parties);
            }
        });
    }

    /** Else a machine on which several processes and a store begin would end them. */
    @Test
    @Tag("long")
    @Tag("processes")
    void aClientWaitsForAStoreThatAnswersLate() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
                TcpProxy proxy = TcpProxy.to(server);
                ChildJvm child = ChildJvm.start(RingClient.class)) {
            proxy.silence();
            child.say("connect " + proxy.url() + " late");
            await().until(() -> proxy.accepted() > 1);
            proxy.pass();
            assertThat(child.line()).isEqualTo("connected");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    @Tag("processes")
    void ringsOfAllSizesThroughLocksOfAllKinds(Kind store) throws Exception {
        onceOrAgain(store, url -> {
            List<RingParty> parties = RingParty.start(url, 5);
            try {
                Set<StagedRing.Kind> kinds = EnumSet.allOf(StagedRing.Kind.class);
                if (store == Kind.QUORUM) {
                    kinds.remove(StagedRing.Kind.READ_WRITE); // which it does not have
                }
                for (int size : List.of(2, 3, 5)) {
                    rings(parties.subList(0, size), kinds);
                }
                RingParty a = parties.get(0);
                RingParty b = parties.get(1);
                rings(
                        List.of(a, a, b),
                        EnumSet.of(StagedRing.Kind.LOCKS)); // twice through one client, by its own queue
                aStickyLockThatNobodyHoldsIsNoEdge(a, b);
                RingParty.endClients(parties);
            } catch (Throwable e) {
                RingParty.end(parties);
                throw e;
            }
        });
    }

    private static void aStickyLockThatNobodyHoldsIsNoEdge(RingParty a, RingParty b) throws Exception {
        a.ask("take sticky-a sticky kept");
        a.ask("release sticky-a");
        a.ask("take sticky-a lock kept-a");
        b.ask("take sticky-b lock kept-b");
        a.ask("want sticky-a lock kept-b");
        b.ask("want sticky-b sticky kept");
        await().until(() -> b.ask("state sticky-b").equals("held"));
        b.ask("release sticky-b");
        await().until(() -> a.ask("state sticky-a").equals("held"));
        assertThat(a.ask("told kept") + b.ask("told kept")).isEmpty();
        a.ask("release sticky-a");
    }

    /** Who is to do what it cannot, or does not want to do. */
    enum Victim {
        STOPPED,
        KILLED,
        IGNORES
    }

    /** Of three, the last to wait is the one to give up. Its claims stay on this store until its lease ends. */
    @ParameterizedTest
    @EnumSource
    @Tag("long")
    @Tag("processes")
    void theNextYoungestGivesUpWhereTheYoungestDoesNot(Victim victim) throws Exception {
        on(
                Kind.REDIS,
                url -> Premise.withLease(ANY, lease -> {
                    String lock = "of-" + lease.toSeconds() + "-";
                    List<RingParty> parties = RingParty.start(url, 3);
                    try (Stalls stalls = Stalls.watch(3);
                            Belay belay = Belay.connect(url)) {
                        for (int i = 0; i < 3; i++) {
                            parties.get(i).ask("take t" + i + " lock " + lock + i);
                        }
                        for (int i = 0; i < 2; i++) {
                            String next = lock + (i + 1);
                            parties.get(i).ask("want t" + i + " lock " + next);
                            await().until(() ->
                                    belay.admin().inspect(next).claims().size() == 2);
                        }
                        String wants = victim == Victim.IGNORES ? "insist" : "want";
                        parties.get(2).ask(wants + " t2 lock " + lock + 0);
                        Premise.check(isToldInOrder(parties, lock), "they wait in order by the notes of it, too");
                        if (victim != Victim.IGNORES) {
                            Premise.check(
                                    parties.get(2).ask("state t2").equals("waits"), "it is told before it gives up");
                            if (victim == Victim.KILLED) {
                                parties.get(2).process().kill();
                            } else {
                                parties.get(2).process().signal("STOP");
                                await().until(() -> parties.get(2).process().isStopped());
                            }
                        }
                        StagedRing.next(parties.get(1), "t1", 7_500, stalls);
                        stalls.inTime(parties.get(0).ask("state t0").equals("waits"), "no other gives up");
                        if (victim == Victim.IGNORES) {
                            assertThat(parties.get(2).ask("state t2")).startsWith("insists");
                        }
                        parties.get(1).ask("release t1");
                        await().until(() -> parties.get(0).ask("state t0").equals("held"));
                    } finally {
                        RingParty.end(parties);
                    }
                }));
    }

    /**
     * Waits until the last of three tells the ring, or another has given up, and returns whether it tells that it has waited
     * for less time than the second, and that for less than the first: since when a client waits it knows but to a round trip.
     */
    private static boolean isToldInOrder(List<RingParty> parties, String lock) throws Exception {
        RingParty last = parties.get(2);
        await().until(() -> !last.ask("told " + lock).isEmpty()
                || !parties.get(0).ask("state t0").equals("waits")
                || !parties.get(1).ask("state t1").equals("waits"));
        String told = last.ask("told " + lock);
        if (told.isEmpty()) {
            return false;
        }
        Map<String, Long> waited = new HashMap<>();
        StagedRing.Told.of(told.split(";", -1)[0]).forEach(edge -> waited.put(edge.thread(), edge.waited()));
        return waited.get("t0") > waited.get("t1") && waited.get("t1") > waited.get("t2");
    }
}
