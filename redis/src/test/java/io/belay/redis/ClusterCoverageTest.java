package io.belay.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.BelayAdmin;
import io.belay.servers.Pace;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Finding;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the loss of a master makes of the locks on the others, as Redis comes and with the setting that docs/redis.md asks for. */
@Tag("topology")
@Tag("long")
class ClusterCoverageTest {
    private static final Owner OWNER = Owner.of("test", "host", 1, "main");

    private RedisCluster cluster;
    private Store store;

    @BeforeEach
    void start() throws Exception {
        cluster = RedisCluster.start(Version.V7_0);
        store = Redis.at(ClusterTest.url(cluster)).open(1, new RecordingListener());
    }

    @AfterEach
    void end() {
        store.close();
        cluster.close();
    }

    @Test
    void aSilentMasterFailsNoRenewalsOnOthers() throws Exception {
        serveWhatIsLeft();
        List<Request.Renew> held = hold(20);
        RedisServer silent = cluster.masterOf(cluster.slotOf("belay:lock-1"));
        List<Request.Renew> others = elsewhere(silent, held);
        silent.stop();
        List<? extends CompletionStage<Answer>> answers = store.renew(held);
        assertThat(others).isNotEmpty();
        for (Request.Renew other : others) {
            Answer answer =
                    answers.get(held.indexOf(other)).toCompletableFuture().get(Pace.seconds(), SECONDS);
            assertThat(answer.state()).isEqualTo(Answer.State.GRANTED);
        }
    }

    @Test
    void asRedisComesTheDeathOfAMasterThatNobodyReplacesStopsTheOthers() throws Exception {
        RedisServer dead = cluster.masterOf(cluster.slotOf("belay:lock-1"));
        Request.Renew other = elsewhere(dead, hold(20)).get(0);
        cluster.nodes().get(cluster.nodes().indexOf(dead) + 3).kill();
        dead.kill();
        await().untilAsserted(() -> assertThatThrownBy(() ->
                        store.renew(List.of(other)).get(0).toCompletableFuture().join())
                .hasMessageContaining("lacks a master for some slots")
                .hasMessageContaining("cluster-require-full-coverage no"));
        serveWhatIsLeft();
        await().ignoreExceptions()
                .until(() -> store.renew(List.of(other))
                        .get(0)
                        .toCompletableFuture()
                        .get(Pace.seconds(), SECONDS)
                        .state()
                        .equals(Answer.State.GRANTED));
    }

    private void serveWhatIsLeft() throws Exception {
        for (RedisServer node : cluster.alive()) {
            node.command("CONFIG", "SET", "cluster-require-full-coverage", "no");
        }
    }

    /** Takes locks named by number, and returns how they are renewed. */
    private List<Request.Renew> hold(int count) {
        List<Request.Renew> held = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            String name = "lock-" + i;
            ClaimId id = ClaimId.of(1, i);
            long sequence = store.send(Request.Enter.of(name, id, ClaimSpec.whole(300_000_000), 0, OWNER))
                    .toCompletableFuture()
                    .join()
                    .sequence();
            held.add(Request.Renew.of(name, id, sequence, 300_000_000, 0, false));
        }
        return held;
    }

    private List<Request.Renew> elsewhere(RedisServer master, List<Request.Renew> all) throws Exception {
        List<Request.Renew> others = new ArrayList<>();
        for (Request.Renew one : all) {
            if (cluster.masterOf(cluster.slotOf("belay:" + one.resource())) != master) {
                others.add(one);
            }
        }
        return others;
    }

    @Test
    void theDoctorTellsOfItUntilItIsSet() throws Exception {
        // A replica is told of once its master has sent it something, which is a ping after ten seconds.
        await().atMost(Pace.patience()).until(() -> told().equals(List.of(Finding.Severity.WARNING)));
        cluster.nodes().get(4).kill(); // the second master's replica
        await().until(() -> told().equals(List.of(Finding.Severity.DANGER)));
        serveWhatIsLeft();
        assertThat(told()).isEmpty();
    }

    private List<Finding.Severity> told() {
        return BelayAdmin.examine(ClusterTest.url(cluster)).stream()
                .filter(finding -> finding.finding().contains("cluster-require-full-coverage yes"))
                .map(Finding::severity)
                .toList();
    }
}
