package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.Stalls;
import io.belay.servers.TcpProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What befalls a Redis server and its connections, besides what befalls every store: nobody waits for ever, and no loss
 * goes untold. The methods run side by side, as most of them wait, but not the class: others look whether threads are
 * left.
 */
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
class FaultTest {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final long LONGEST = Pace.seconds();

    private RedisServer redis;
    private Belay one;
    private Belay two;

    private static Belay connect(String url, String name) {
        return Belay.connect(url, BelayOptions.defaults().withClientName(name));
    }

    @BeforeEach
    void start() throws Exception {
        redis = RedisServer.start(RedisServer.Version.V7_0);
        one = connect(redis.url(), "one");
        two = connect(redis.url(), "two");
    }

    @AfterEach
    void end() {
        one.close();
        two.close();
        redis.close();
    }

    /** Takes the lock, and waits until the store lists it. */
    private CompletableFuture<Lease> queue(DistributedLock lock) {
        int before = await().pollDelay(Duration.ZERO)
                .until(() -> one.admin().inspect(lock.name()).claims().size(), got -> true);
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        await().until(() -> waiting.isDone() // the hold was lost: that is judged later
                || one.admin().inspect(lock.name()).claims().size() == before + 1);
        return waiting;
    }

    /** A test of a lease, which a busy machine may take away. */
    private interface Attempt {
        void run(DistributedLock ofOne, DistributedLock ofTwo, Duration lease) throws Exception;
    }

    private void withLease(Attempt attempt) throws Exception {
        Premise.withLease(LEASE, lease -> {
            LockOptions options = LockOptions.defaults().withLease(lease);
            String name = "x" + lease.toMillis();
            attempt.run(one.lock(name, options), two.lock(name, options), lease);
        });
    }

    private static Lease get(CompletableFuture<Lease> waiting) throws Exception {
        return waiting.get(LONGEST, TimeUnit.SECONDS);
    }

    private static CompletableFuture<LeaseLostException> loss(Lease lease) {
        CompletableFuture<LeaseLostException> told = new CompletableFuture<>();
        lease.onLost(told::complete);
        return told;
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void everyConnectionIsKilled() throws Exception {
        withLease((ofOne, ofTwo, lease) -> {
            try (Stalls stalls = Stalls.watch()) {
                Lease held = ofOne.acquire();
                CompletableFuture<Lease> waiting = queue(ofTwo);
                for (int i = 0; i < 5; i++) {
                    redis.command("CLIENT", "KILL", "TYPE", "normal");
                    redis.command("CLIENT", "KILL", "TYPE", "pubsub");
                }
                TimeUnit.MILLISECONDS.sleep(lease.toMillis() + 500);
                stalls.inTime(held.isHeld() && !waiting.isDone(), "it is renewed over a new connection");
                stalls.inTime(held.release() == ReleaseOutcome.RELEASED, "it is renewed until its release");
                get(waiting).close();
            }
        });
    }

    /** Nothing was on its disk, and somebody else has the lock by then. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aReleaseThatAnEmptyServerAnswersDoesNotPassForDone() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(redis);
                Belay late = Belay.connect(proxy.url())) {
            Lease lease = late.lock("x").acquire();
            proxy.silenceRequests();
            CompletableFuture<ReleaseOutcome> outcome = lease.releaseAsync();
            redis.restart();
            Lease next = get(two.lock("x").acquireAsync());
            proxy.cut();
            proxy.pass();
            assertThat(outcome.get(LONGEST, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.UNKNOWN);
            assertThat(next.isHeld()).isTrue();
            next.release();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void everythingIsFlushed() throws Exception {
        withLease((ofOne, ofTwo, lease) -> {
            Lease held = ofOne.acquire();
            CompletableFuture<LeaseLostException> told = loss(held);
            CompletableFuture<Lease> waiting = queue(ofTwo);
            try (Stalls stalls = Stalls.watch()) {
                redis.command("FLUSHALL");
                Lease next = get(waiting);
                assertThat(next.token()).isGreaterThan(held.token());
                assertThat(told.get(LONGEST, TimeUnit.SECONDS)).hasMessageContaining("'" + held.name() + "'");
                stalls.inTime(stalls.taken().compareTo(lease.plusMillis(500)) < 0, "a loss is told by its deadline");
                assertThat(held.isHeld()).isFalse();
                assertThat(held.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
                stalls.inTime(next.release() == ReleaseOutcome.RELEASED, "the next keeps it");
            }
        });
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theScriptsAreFlushed() throws Exception {
        withLease((ofOne, ofTwo, lease) -> {
            try (Stalls stalls = Stalls.watch()) {
                Lease held = ofOne.acquire();
                CompletableFuture<Lease> waiting = queue(ofTwo);
                redis.command("SCRIPT", "FLUSH");
                stalls.inTime(held.release() == ReleaseOutcome.RELEASED, "the release is answered");
                get(waiting).close();
            }
        });
        redis.command("SCRIPT", "FLUSH");
        one.lock("y").acquire().close();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aScriptOfSomebodysRunsOnAndOn() throws Exception {
        Lease held = one.lock("x").acquire();
        CompletableFuture<Lease> waiting = queue(two.lock("x"));
        redis.command("CONFIG", "SET", "lua-time-limit", "10");
        CompletableFuture<Throwable> script = CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> redis.command("EVAL", "while true do end", "0")));
        await().untilAsserted(() -> assertThatThrownBy(() -> two.lock("y").tryAcquire())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageEndingWith(
                        " is kept busy by a script of somebody's, and answers nobody meanwhile: end that by"
                                + " SCRIPT KILL or FUNCTION KILL, or wait"));
        redis.command("SCRIPT", "KILL");
        assertThat(script.get(LONGEST, TimeUnit.SECONDS)).hasMessageContaining("killed by user");
        assertThat(waiting).isNotDone();
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        get(waiting).close();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theServerPausesForLessThanALease() throws Exception {
        withLease((ofOne, ofTwo, lease) -> {
            Lease held = ofOne.acquire();
            CompletableFuture<Lease> waiting = queue(ofTwo);
            try (Stalls stalls = Stalls.watch()) {
                redis.command("CLIENT", "PAUSE", "1000", "ALL");
                stalls.inTime(held.release() == ReleaseOutcome.RELEASED, "it is released when the server goes on");
                get(waiting).close();
            }
        });
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theServerStandsStillForLongerThanALease() throws Exception {
        withLease((ofOne, ofTwo, lease) -> {
            Lease held = ofOne.acquire();
            CompletableFuture<LeaseLostException> told = loss(held);
            CompletableFuture<Lease> waiting = queue(ofTwo);
            try (Stalls stalls = Stalls.watch()) {
                redis.stop();
                told.get(LONGEST, TimeUnit.SECONDS);
                stalls.inTime(stalls.taken().compareTo(lease.plusSeconds(1)) < 0, "a loss is told by its deadline");
            } finally {
                redis.resume();
            }
            assertThat(held.isHeld()).isFalse();
            get(waiting).close();
            ofOne.acquire().close();
        });
    }
}
