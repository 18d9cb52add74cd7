package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.servers.Peers;
import io.belay.servers.Premise;
import io.belay.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members of an etcd that fail, and one that forgets. */
@Tag("consensus")
@Tag("long")
class MembersTest {
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void isInstalled() {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private List<EtcdServer> members(int count) throws Exception {
        List<EtcdServer> members = EtcdServer.start(count);
        open.addAll(members);
        return members;
    }

    private static String url(List<EtcdServer> members) {
        return members.stream()
                .map(member -> "127.0.0.1:" + member.port())
                .collect(Collectors.joining(",", "etcd://", "?timeout="));
    }

    private Belay client(String name, List<EtcdServer> members, String parameters) {
        Belay belay = Belay.connect(
                url(members) + "1s" + parameters, BelayOptions.defaults().withClientName(name));
        open.add(belay);
        return belay;
    }

    private static EtcdServer leader(List<EtcdServer> members) throws Exception {
        for (EtcdServer member : members) {
            if (member.isLeader()) {
                return member;
            }
        }
        throw new IllegalStateException("there is no leader");
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(Pace.seconds(), TimeUnit.SECONDS);
    }

    /** The lock goes from one to the other and back, whatever happens meanwhile. */
    private static void takeTurns(Belay one, Belay two, String name) throws Exception {
        long token = 0;
        for (int i = 0; i < 6; i++) {
            Lease lease = soon((i % 2 == 0 ? one : two).lock(name).acquireAsync());
            assertThat(lease.token()).isGreaterThan(token);
            token = lease.token();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void aLeaderThatIsKilledTakesNoLockAway() throws Exception {
        List<EtcdServer> members = members(3);
        Belay one = client("one", members, "");
        Belay two = client("two", members, "");
        Lease held = one.lock("x").acquire();
        CompletableFuture<Lease> waiting = two.lock("x").acquireAsync();
        EtcdServer leader = leader(members);
        leader.kill();
        takeTurns(one, two, "y");
        assertThat(held.isHeld()).isTrue();
        assertThat(waiting).isNotDone();
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Lease next = soon(waiting);
        assertThat(next.token()).isGreaterThan(held.token());
        leader.restart();
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
        takeTurns(one, two, "x");
    }

    @Test
    void aLeaderThatIsStoppedIsPassedOver() throws Exception {
        List<EtcdServer> members = members(3);
        Belay one = client("one", members, "");
        Belay two = client("two", members, "");
        Lease held = one.lock("x").acquire();
        EtcdServer leader = leader(members);
        leader.stop();
        try {
            takeTurns(one, two, "y");
            assertThat(held.isHeld()).isTrue();
        } finally {
            leader.resume();
        }
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        takeTurns(one, two, "x");
    }

    /** Its clients still reach it, and it does not know that it leads nobody. */
    @Test
    void aLeaderThatIsCutOffFromTheOthersIsPassedOver() throws Exception {
        Peers peers = new Peers();
        open.add(peers);
        List<EtcdServer> members = EtcdServer.start(3, peers);
        open.addAll(members);
        Belay one = client("one", members, "");
        Belay two = client("two", members, "");
        Lease held = one.lock("x").acquire();
        EtcdServer former = leader(members);
        Set<String> names = former.names();
        List<EtcdServer> others =
                members.stream().filter(member -> member != former).toList();
        peers.cutOff(names, true, true);
        await().until(() -> others.get(0).isLeader() || others.get(1).isLeader());
        await().until(former::hasNoLeader); // until then it waits for the others, and so does who asks it
        takeTurns(one, two, "y"); // each third request goes to whom it is of no use to ask
        assertThat(held.isHeld()).isTrue();
        peers.heal(names);
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(soon(two.lock("x").acquireAsync()).token()).isGreaterThan(held.token());
    }

    /** As where a broken member is replaced under its name: it catches up before it serves anybody. */
    @Test
    void aLearnerIsInNobodysWay() throws Exception {
        List<EtcdServer> members = new ArrayList<>(members(1));
        members.add(EtcdServer.startLearner(members));
        open.add(members.get(1));
        Belay one = client("one", members, "");
        Belay two = client("two", members, "");
        Lease held = one.lock("x").acquire();
        CompletableFuture<Lease> waiting = two.lock("x").acquireAsync();
        takeTurns(one, two, "y");
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(soon(waiting).release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** Each question comes to the voter, so that the watch after it would begin at the learner, again and again. */
    @Test
    void aHoldIsWatchedBesideALearner() throws Exception {
        List<EtcdServer> members = new ArrayList<>(members(1));
        members.add(EtcdServer.startLearner(members));
        open.add(members.get(1));
        Lease held = client("one", members, "").lock("x").acquire();
        await().until(() -> members.get(0).watchers() == 1);
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void theDoctorSeesWhetherAMemberIsAloneAndWhetherItIsOld() throws Exception {
        List<EtcdServer> one = members(1);
        String url = "etcd://127.0.0.1:" + one.get(0).port();
        assertThat(BelayAdmin.examine(url)).extracting(Finding::subject).contains("members", "version");
        assertThatThrownBy(() -> BelayAdmin.examine("etcd://127.0.0.1:1"))
                .isInstanceOf(StoreUnavailableException.class);
    }

    /** It still says of itself what it is asked, and serves nobody. */
    @Test
    void theDoctorNamesAMemberThatIsCutOffFromTheOthers() throws Exception {
        Peers peers = new Peers();
        open.add(peers);
        List<EtcdServer> members = EtcdServer.start(3, peers);
        open.addAll(members);
        EtcdServer alone = members.get(0);
        peers.cutOff(alone.names(), true, true);
        await().until(alone::hasNoLeader);
        await().untilAsserted(
                        () -> { // the others may elect, also once more on a busy machine
                            for (int run = 0; run < 3; run++) {
                                List<Finding> findings = BelayAdmin.examine(url(members) + "1m"); // to load its classes
                                assertThat(findings)
                                        .extracting(Finding::subject)
                                        .doesNotContain("not seen");
                                assertThat(findings)
                                        .filteredOn(finding -> finding.subject().equals("members"))
                                        .singleElement()
                                        .satisfies(finding -> assertThat(finding.finding())
                                                .startsWith("The member 127.0.0.1:" + alone.port() + " has no leader"));
                            }
                        });
    }

    @Test
    void locksOutliveARestartOfAllMembers() throws Exception {
        List<EtcdServer> members = members(1);
        Belay one = client("one", members, "");
        Belay two = client("two", members, "");
        Lease held = one.lock("x").acquire();
        CompletableFuture<Lease> waiting = two.lock("x").acquireAsync();
        members.get(0).restart();
        assertThat(held.isHeld()).isTrue();
        assertThat(Premise.answered(() -> two.lock("x").tryAcquire())).isEmpty();
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(soon(waiting).release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** The first of them follow the whole line; those behind many clients watch one key each. */
    @Test
    void aLineOfManyClientsIsServedInOrderAndPassesOverThoseWhoHaveLeft() throws Exception {
        List<EtcdServer> members = members(1);
        int clients = 14;
        List<CompletableFuture<Lease>> line = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Belay client = client("client " + i, members, "");
            line.add(client.lock("x").acquireAsync());
            int entered = line.size();
            await().until(() -> client.admin().inspect("x").claims().size() == entered);
        }
        for (int left : List.of(3, 4, 9, 12)) {
            line.get(left).cancel(true);
        }
        long token = 0;
        for (CompletableFuture<Lease> next : line) {
            if (!next.isCancelled()) {
                Lease lease = soon(next);
                assertThat(line.stream().filter(CompletableFuture::isDone).filter(done -> !done.isCancelled()))
                        .last()
                        .isSameAs(next);
                assertThat(lease.token()).isGreaterThan(token);
                token = lease.token();
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    /** Its revisions begin again, and so would the tokens. */
    @Test
    void aServerThatHasLostItsDataIsNoticedAndAnEpochLiftsTheTokens() throws Exception {
        List<EtcdServer> members = members(1);
        EtcdServer server = members.get(0);
        DistributedLock before = client("before", members, "").lock("x");
        long token = 0;
        for (int i = 0; i < 5; i++) {
            try (Lease lease = before.acquire()) {
                token = lease.token();
            }
        }
        server.wipe();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThatThrownBy(before::acquire)
                        .isInstanceOf(BelayException.class)
                        .hasMessageContaining("The store went back"));
        try (Lease lifted = client("after", members, "&token-epoch=1").lock("x").acquire()) {
            assertThat(lifted.token()).isGreaterThan(token);
        }
    }
}
