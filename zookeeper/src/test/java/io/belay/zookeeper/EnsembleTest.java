package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.servers.Peers;
import io.belay.servers.ZooKeeperEnsemble;
import io.belay.servers.ZooKeeperServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three members, one after the other of which fails. */
@Tag("consensus")
@Tag("long")
class EnsembleTest {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final BelayOptions OPTIONS =
            BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(Duration.ofSeconds(5)));

    private static Peers peers;
    private static ZooKeeperEnsemble ensemble;

    @BeforeAll
    static void start() throws Exception {
        peers = new Peers();
        ensemble = ZooKeeperEnsemble.start(peers);
    }

    @AfterAll
    static void stop() {
        ensemble.close();
        peers.close();
    }

    private static Belay connect() {
        return Belay.connect(ensemble.url() + "?session-timeout=5s", OPTIONS);
    }

    private static Belay connect(ZooKeeperServer member) {
        return Belay.connect(member.url() + "?session-timeout=5s", OPTIONS);
    }

    private static Lease soon(CompletableFuture<Lease> lease) throws Exception {
        return lease.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void theDoctorFindsNothingWrongWithThree() {
        assertThat(BelayAdmin.examine(ensemble.url())).isEmpty();
    }

    @Test
    void locksAreHandedOverBetweenClientsOfDifferentMembers() throws Exception {
        try (Belay first = connect(ensemble.members().get(0));
                Belay second = connect(ensemble.members().get(1));
                Belay third = connect(ensemble.members().get(2))) {
            long token = 0;
            for (int i = 0; i < 10; i++) {
                for (Belay belay : new Belay[] {first, second, third}) {
                    Lease lease = soon(belay.lock("x").acquireAsync());
                    assertThat(lease.token()).isGreaterThan(token);
                    token = lease.token();
                    CompletableFuture<Lease> next = third.lock("x").acquireAsync();
                    assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                    Lease handed = soon(next);
                    assertThat(handed.token()).isGreaterThan(token);
                    token = handed.token();
                    assertThat(handed.release()).isEqualTo(ReleaseOutcome.RELEASED);
                }
            }
        }
    }

    /** What happens to a leader. */
    private enum Failure {
        KILLED {
            @Override
            void begin(ZooKeeperServer leader) {
                leader.kill();
            }

            @Override
            void end(ZooKeeperServer leader) throws Exception {
                leader.restart();
            }
        },
        STOPPED {
            @Override
            void begin(ZooKeeperServer leader) {
                leader.stop();
            }

            @Override
            void end(ZooKeeperServer leader) {
                leader.resume();
            }
        },
        /** Its clients still reach it. */
        CUT_OFF {
            @Override
            void begin(ZooKeeperServer leader) throws Exception {
                peers.cutOff(leader.names(), true, true);
                await().until(() ->
                        ensemble.members().stream().anyMatch(member -> member != leader && member.isLeader()));
            }

            @Override
            void end(ZooKeeperServer leader) {
                peers.heal(leader.names());
            }
        };

        abstract void begin(ZooKeeperServer leader) throws Exception;

        abstract void end(ZooKeeperServer leader) throws Exception;
    }

    @Test
    void aLeaderThatFailsLeavesNoTwoHolders() throws Exception {
        try (Belay a = connect();
                Belay b = connect()) {
            for (Failure failure : Failure.values()) {
                Lease held = soon(a.lock("y").acquireAsync());
                CompletableFuture<Lease> waiting = b.lock("y").acquireAsync();
                ZooKeeperServer leader = ensemble.leader();
                failure.begin(leader);
                boolean released = held.release() == ReleaseOutcome.RELEASED;
                Lease next = soon(waiting);
                assertThat(held.isHeld())
                        .as("held beside another, released %s, after %s", released, failure)
                        .isFalse();
                assertThat(next.token()).isGreaterThan(held.token());
                failure.end(leader);
                await().until(() -> ensemble.members().stream().allMatch(member -> serves(member)));
                next.release();
            }
        }
    }

    private static boolean serves(ZooKeeperServer member) {
        try {
            return member.ask("srvr").contains("Mode: ");
        } catch (IOException e) {
            return false;
        }
    }
}
