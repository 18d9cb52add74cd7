package io.belay.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.StoreUnavailableException;
import io.belay.servers.ChildJvm;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Nodes that are processes of their own: one runs the job, and however it ends, the others get their turn in time. */
@Tag("processes")
@Tag("long")
class NodesTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration AT_MOST = Duration.ofHours(1);
    private static final Duration FOR_THE_MACHINE = Duration.ofMillis(500);

    /** Returns for how long a job has the lock at least: longer than a lease. */
    private static Duration atLeast(Duration lease) {
        return lease.multipliedBy(2);
    }

    /** A test of a lease, which a busy machine may take away before the store knows how long the lock lasts. */
    private interface Attempt {
        void run(Duration lease, Stalls stalls) throws Exception;
    }

    private static void withLease(Attempt attempt) throws Exception {
        Premise.withLease(LEASE, lease -> {
            try (Stalls stalls = Stalls.watch()) {
                attempt.run(lease, stalls);
            }
        });
    }

    private static String lock(Duration atLeast) {
        return "lock " + AT_MOST + " " + atLeast;
    }

    /** Waits for the lock far less long than a job may take at most, and returns when it was had. */
    private static long awaitTurn(Belay belay) {
        BelayLockProvider provider = BelayLockProvider.of(belay);
        Optional<SimpleLock> had = await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> provider.lock(JobProcess.job(AT_MOST, Duration.ZERO)), Optional::isPresent);
        long then = System.nanoTime();
        had.orElseThrow().unlock();
        return then;
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"MEMORY", "H2"})
    void ofThreeThatStartItOneRuns(TestStore store) throws Exception {
        withLease((lease, stalls) -> {
            try (Belay belay = Belay.connect(store.url());
                    ChildJvm first = JobProcess.start(store.url(), lease);
                    ChildJvm second = JobProcess.start(store.url(), lease);
                    ChildJvm third = JobProcess.start(store.url(), lease)) {
                awaitTurn(belay);
                long before = System.nanoTime();
                String order = lock(atLeast(lease));
                List<String> answers = List.of(first.ask(order), second.ask(order), third.ask(order));
                stalls.inTime(answers.equals(List.of("runs", "skips", "skips")), "only the first of three runs");
                first.ask("unlock");
                long had = awaitTurn(belay) - before;
                stalls.inTime(had >= atLeast(lease).toNanos(), "the next has its turn no earlier");
            }
        });
    }

    /** The ways in which a node ends while its job runs. */
    private enum End {
        CLOSED,
        EXITED,
        KILLED;

        void of(ChildJvm node) throws Exception {
            switch (this) {
                case CLOSED -> assertThat(node.ask("close")).isEqualTo("closed");
                case EXITED -> {
                    node.process.outputWriter().write("exit\n");
                    node.process.outputWriter().flush();
                    assertThat(node.process.waitFor()).isZero();
                }
                case KILLED -> node.kill();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"MEMORY", "H2"})
    void aNodeThatEndsFreesTheLockAfterAtLeastAndNotAfterAtMost(TestStore store) throws Exception {
        for (End end : End.values()) {
            withLease((lease, stalls) -> {
                try (Belay belay = Belay.connect(store.url());
                        ChildJvm node = JobProcess.start(store.url(), lease)) {
                    long before = System.nanoTime();
                    assertThat(node.ask(lock(atLeast(lease)))).isEqualTo("runs");
                    end.of(node);
                    long had = awaitTurn(belay) - before;
                    stalls.inTime(had >= atLeast(lease).toNanos(), end + ": the next has its turn no earlier");
                }
            });
        }
    }

    /** Also where the others notice a death within moments, as in a directory. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"MEMORY", "H2"})
    void aNodeThatIsKilledFreesTheLockWhenItsLeaseIsOverThoughAtLeastHasLongBeen(TestStore store) throws Exception {
        withLease((lease, stalls) -> {
            try (Belay belay = Belay.connect(store.url());
                    ChildJvm node = JobProcess.start(store.url(), lease)) {
                long before = System.nanoTime();
                assertThat(node.ask(lock(lease.dividedBy(4)))).isEqualTo("runs");
                node.kill();
                long had = awaitTurn(belay) - before;
                stalls.inTime(had >= lease.toNanos(), "the next has its turn no earlier");
            }
        });
    }

    /** A lock that was given back is kept by the store itself, whatever becomes of the node. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"MEMORY", "H2"})
    void aNodeThatIsKilledAfterItsJobFreesTheLockNoEarlier(TestStore store) throws Exception {
        withLease((lease, stalls) -> {
            try (Belay belay = Belay.connect(store.url());
                    ChildJvm node = JobProcess.start(store.url(), lease)) {
                long before = System.nanoTime();
                assertThat(node.ask(lock(atLeast(lease)))).isEqualTo("runs");
                assertThat(node.ask("unlock")).isEqualTo("unlocked");
                node.kill();
                long had = awaitTurn(belay) - before;
                stalls.inTime(had >= atLeast(lease).toNanos(), "the next has its turn no earlier");
            }
        });
    }

    /** The job of a dead node is not blocked for the hour that it might have taken. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"MEMORY", "H2"})
    void aNodeThatIsKilledIsReplacedWithinTheLease(TestStore store) throws Exception {
        withLease((lease, stalls) -> {
            try (Belay belay = Belay.connect(store.url());
                    ChildJvm node = JobProcess.start(store.url(), lease)) {
                assertThat(node.ask(lock(Duration.ZERO))).isEqualTo("runs");
                node.kill();
                long killed = System.nanoTime();
                long had = awaitTurn(belay) - killed;
                stalls.inTime(had <= lease.plus(FOR_THE_MACHINE).toNanos(), "the next has its turn within the lease");
            }
        });
    }
}
