package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.Monitor;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.Stalls;
import io.belay.servers.TcpProxy;
import io.belay.spi.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Five real servers: some are killed, stopped, wiped; nobody ever holds what another holds. */
@Tag("long")
class QuorumTest {
    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private QuorumServers servers;
    private Belay one;
    private Belay two;

    private Belay connect(String name) {
        return connect(name, servers.url());
    }

    private static Belay connect(String name, String url) {
        return Belay.connect(
                url,
                BelayOptions.defaults()
                        .withClientName(name)
                        .withLockDefaults(LockOptions.defaults().withLease(LEASE)));
    }

    @BeforeEach
    void start() throws Exception {
        servers = new QuorumServers(5, "longest-lease=5s&member-timeout=1s");
        one = connect("one");
        two = connect("two");
    }

    @AfterEach
    void end() {
        one.close();
        two.close();
        servers.close();
    }

    private static void takeTurns(DistributedLock first, DistributedLock second, int times) throws Exception {
        long token = 0;
        for (int i = 0; i < times; i++) {
            for (DistributedLock lock : List.of(first, second)) {
                try (Lease lease = lock.acquire()) {
                    assertThat(lease.isHeld()).isTrue();
                    assertThat(lease.token()).isGreaterThan(token);
                    token = lease.token();
                }
            }
        }
    }

    @Test
    void anElectionIsHeldAndWhoObservesItAsks() throws Exception {
        AtomicReference<String> leader = new AtomicReference<>();
        try (LeaderElection.Observation looks = two.election("x")
                .observe(
                        now -> leader.set(now.map(LeaderElection.Leader::client).orElse("nobody")))) {
            await().until(() -> "nobody".equals(leader.get()));
            Lease term = one.election("x").campaign();
            await().until(() -> "one".equals(leader.get()));
            try (Lease next = handedOver(term, two.election("x").campaignAsync())) {
                assertThat(next.token()).isGreaterThan(term.token());
                await().until(() -> "two".equals(leader.get()));
            }
            await().until(() -> "nobody".equals(leader.get()));
        }
    }

    private static Lease handedOver(Lease term, CompletableFuture<Lease> next) throws Exception {
        term.close();
        return next.get(Pace.seconds(), TimeUnit.SECONDS);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void locksGoOnWithoutTwoServersAndExcludeWhileAThirdForgets() throws Exception {
        servers.server(0).kill();
        servers.server(3).kill();
        takeTurns(one.lock("x"), two.lock("x"), 20);
        Lease held = one.lock("x").acquire();
        CompletableFuture<LeaseLostException> told = new CompletableFuture<>();
        held.onLost(told::complete);
        CompletableFuture<Lease> waiting = two.lock("x").acquireAsync();
        long wiped = System.nanoTime();
        servers.server(1).restart(); // empty
        assertThat(Premise.answered(() -> two.lock("y").tryAcquire()))
                .as("two of the five remember what is held")
                .isEmpty();
        try (Belay fresh = connect("fresh")) {
            assertThat(Premise.answered(() -> fresh.lock("x").tryAcquire()))
                    .as("seen also by who has just come")
                    .isEmpty();
        }
        told.get(Pace.seconds(), TimeUnit.SECONDS);
        Lease next = waiting.get(Pace.seconds(), TimeUnit.SECONDS);
        assertThat(System.nanoTime() - wiped)
                .as("no majority before the quarantine ends")
                .isGreaterThan(LONGEST.toNanos());
        assertThat(next.token()).isGreaterThan(held.token());
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
        takeTurns(one.lock("x"), two.lock("x"), 5);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aHoldOutlivesServersThatGoAndComeBackWithinItsMajority() throws Exception {
        Premise.withLease(LEASE, any -> {
            try (Stalls stalls = Stalls.watch()) {
                aHoldOutlivesServers(stalls);
            }
        });
    }

    private void aHoldOutlivesServers(Stalls stalls) throws Exception {
        Lease held = one.lock("x").acquire();
        // Three of them do for a lock; those who refused its sequence or were late vote after a renewal.
        awaitRenewals(held, stalls, servers.all());
        servers.server(0).restart();
        servers.server(1).restart();
        await().pollInterval(Duration.ofMillis(500))
                .until(() -> BelayAdmin.examine(servers.url()).stream()
                        .noneMatch(finding -> finding.subject().contains("quarantine")));
        // The first renewal may still be one that began before.
        awaitRenewals(held, stalls, List.of(servers.server(0), servers.server(1)));
        servers.server(2).kill();
        servers.server(3).kill();
        TimeUnit.NANOSECONDS.sleep(LEASE.toNanos());
        assertThat(held.isHeld()).as("the first two have it again").isTrue();
        assertThat(Premise.answered(() -> two.lock("x").tryAcquire())).isEmpty();
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        two.lock("x").acquire().close();
    }

    /** What each of them remembers of the lock is to change, two times. */
    private static void awaitRenewals(Lease held, Stalls stalls, List<RedisServer> servers) throws IOException {
        for (int i = 0; i < 2; i++) {
            List<String> before = new ArrayList<>();
            for (RedisServer server : servers) {
                before.add(record(server));
            }
            for (int s = 0; s < servers.size(); s++) {
                RedisServer server = servers.get(s);
                String old = before.get(s);
                await().until(() -> !held.isHeld() || !record(server).equals(old));
                stalls.inTime(held.isHeld(), "a client that is run in time renews its lease");
            }
        }
    }

    private static String record(RedisServer server) throws IOException {
        return server.command("EVAL", "return redis.sha1hex(redis.call('GET', KEYS[1]) or '')", "1", "belay:x");
    }

    /** A majority has answered, and the lock been given back, long before the last server says anything. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aServerThatAnswersLateNeedNotRememberWhatHasEnded() throws Exception {
        RedisServer slow = servers.server(4);
        try (TcpProxy late = TcpProxy.to(slow);
                Belay belay = connect("late", servers.url().replace(slow.url(), late.url()))) {
            late.delayReplies(Duration.ofMillis(20));
            for (int i = 0; i < 200; i++) {
                belay.lock("x").acquire().close();
            }
            assertThat(Long.parseLong(slow.command("STRLEN", "belay:x"))).isLessThan(1_000);
        }
    }

    /** Without an assertion: the figures of a busy machine say little. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aServerThatIsStoppedHardlyDelaysAnybody() throws Exception {
        DistributedLock lock = one.lock("x");
        long before = median(lock);
        servers.server(2).stop();
        long with = median(lock);
        servers.server(2).resume();
        System.out.printf(
                "a lock and unlock on 5 servers: %d us, with one of them stopped: %d us, %.2f times%n",
                before / 1000, with / 1000, (double) with / before);
        two.lock("x").acquire().close();
    }

    private static long median(DistributedLock lock) throws InterruptedException {
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            long begun = System.nanoTime();
            lock.acquire().close();
            times.add(System.nanoTime() - begun);
        }
        Collections.sort(times);
        return times.get(times.size() / 2);
    }

    private static boolean soon(Callable<Boolean> condition) {
        try {
            await().atMost(LEASE.dividedBy(4)).until(condition);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    /** Returns how often the first of the scripts was called. */
    private static long attempts(List<String> sent) {
        return sent.stream()
                .filter(line -> line.split("\"")[3].equals(sent.get(0).split("\"")[3]))
                .count();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aFreeLockCostsEachServerThreeCommands() throws Exception {
        // A client needs a majority only and may still be on its way to this server, with questions of its own.
        RedisServer server = servers.server(4);
        warmUp(one, server);
        warmUp(two, server);
        try (Monitor monitor = server.monitor()) {
            List<String> sent;
            long begun;
            long end = System.nanoTime() + Pace.patience().toNanos();
            boolean told = true;
            boolean before;
            do {
                assertThat(end - System.nanoTime())
                        .as("a server that is well is asked")
                        .isPositive();
                before = told;
                monitor.clear();
                begun = System.nanoTime();
                Lease lease = one.lock("x").acquire();
                // A majority does to tell, which need not be this server; it is spared what has become needless, and
                // all of it where it was silent for a moment.
                told = soon(() -> sent(monitor).size() >= 2);
                lease.close();
                told &= soon(() -> sent(monitor).size() >= 3);
                sent = sent(monitor);
                // There may be renewals among them, or what comes late of the round before, or a second attempt as
                // others were late.
            } while (!told || !before || attempts(sent) > 1 || System.nanoTime() - begun > LEASE.toNanos() / 4);
            assertThat(sent).hasSize(3);
        }
    }

    /** Takes a lock until a server has it too, which may be by a renewal, and gives it up. */
    private static void warmUp(Belay client, RedisServer server) throws Exception {
        try (Belay member = Belay.connect(server.url())) {
            Lease lease = client.lock("x").acquire();
            await().until(() -> !member.admin().inspect("x").claims().isEmpty());
            lease.close();
            await().until(() -> member.admin().inspect("x").claims().isEmpty());
        }
    }

    private static List<String> sent(Monitor monitor) throws Exception {
        return monitor.lines().stream()
                .filter(line -> line.contains("\"EVALSHA\""))
                .toList();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void withoutAMajorityConnectingFailsAndNamesWhoIsMissing() {
        servers.server(0).kill();
        servers.server(1).kill();
        connect("three of five").close();
        servers.server(2).kill();
        assertThatThrownBy(() -> connect("two of five"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("only 2 of the 5 members of the quorum can be reached, and 3 are needed")
                .hasMessageContaining(
                        "member 2 of 5 (redis://127.0.0.1:" + servers.server(1).port());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theSameServerByTwoNamesIsNoTwoMembers() {
        String twice = "quorum:" + servers.server(0).url() + ","
                + servers.server(0).url().replace("127.0.0.1", "localhost") + ","
                + servers.server(1).url() + "#longest-lease=5s";
        assertThatThrownBy(() -> Belay.connect(twice))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("is the same server as member");
    }

    /** A store connects anew by itself, to whatever is behind the address then. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aServerToWhichASecondMemberIsLedLaterHasOneVote() throws Exception {
        servers.server(4).kill();
        Premise.withLease(LEASE, any -> {
            try (Stalls stalls = Stalls.watch()) {
                aSecondMemberHasOneVote(stalls);
            }
        });
    }

    private void aSecondMemberHasOneVote(Stalls stalls) throws Exception {
        RedisServer own = servers.server(1);
        try (TcpProxy proxy = TcpProxy.to(own);
                Belay belay = connect("led", servers.url().replace(own.url(), proxy.url()))) {
            Lease held = belay.lock("x").acquire();
            CompletableFuture<LeaseLostException> told = new CompletableFuture<>();
            held.onLost(told::complete);
            // Three of them do for a lock; the fourth votes after a renewal, and perhaps only then.
            awaitRenewals(held, stalls, servers.all().subList(0, 4));
            lead(proxy, servers.server(0));
            TimeUnit.NANOSECONDS.sleep(LEASE.toNanos());
            assertThat(held.isHeld()).as("three servers of five are a majority").isTrue();
            belay.lock("y").acquire().close();
            servers.server(3).kill();
            told.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThatThrownBy(() -> Premise.answered(() -> belay.lock("y").tryAcquire()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("fewer than 3 of the 5 members");
            lead(proxy, own);
            belay.lock("y").acquire().close();
        }
    }

    private static void lead(TcpProxy proxy, RedisServer to) {
        proxy.cut();
        proxy.leadTo(to);
        proxy.pass();
        await().until(() -> proxy.connections() > 0);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theDoctorLooksAtEachAndSaysWhoGivesNoVote() throws Exception {
        servers.server(1).restart();
        servers.server(3).kill();
        List<Finding> findings = BelayAdmin.examine(servers.url());
        assertThat(findings)
                .as("what a restart forgets is of no concern")
                .noneMatch(finding -> finding.subject().endsWith("persistence"))
                .anySatisfy(finding -> assertThat(finding.subject())
                        .startsWith("member 1 of 5 (redis://127.0.0.1:"
                                + servers.server(0).port() + "), "))
                .anySatisfy(finding -> assertThat(finding.subject() + ": " + finding.finding())
                        .contains("member 2 of 5")
                        .contains("no vote"))
                .anySatisfy(finding -> assertThat(finding.subject() + ": " + finding.finding())
                        .contains("member 4 of 5")
                        .contains("cannot be looked at"));
        String even = servers.url().replaceFirst(",[^,#]*#", "#");
        assertThat(BelayAdmin.examine(even))
                .anyMatch(finding -> finding.finding().contains("has 4 members"));
    }
}
