package io.belay.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.OncePerPeriod;
import io.belay.ReleaseOutcome;
import io.belay.servers.Pace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Small programs for elections, periods, futures and clients, as a user writes them who has the Javadoc and nothing else. */
class ClientProgramsTest {
    private final String url = "memory:" + UUID.randomUUID();
    private int count;

    @Test
    void leader() throws InterruptedException {
        try (Belay belay = Belay.connect(url)) {
            LeaderElection election = belay.election("scheduler");
            try (Lease term = election.campaign()) {
                term.onLost(loss -> count--);
                assertThat(election.leader().map(LeaderElection.Leader::token)).contains(term.token());
                assertThat(election.tryCampaign()).isEmpty();
            }
            assertThat(election.leader()).isEmpty();
        }
    }

    @Test
    void onceAPeriod() {
        try (Belay belay = Belay.connect(url)) {
            OncePerPeriod report = belay.once("nightly-report", Duration.ofHours(20));
            assertThat(report.run(() -> count++)).isTrue();
            assertThat(report.run(() -> count++)).isFalse();
            assertThat(count).isEqualTo(1);
        }
    }

    @Test
    void futuresAndCancelling() throws Exception {
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("stock:iphone");
            Lease held = lock.acquire();
            CompletableFuture<Lease> waiting = lock.acquireAsync();
            waiting.cancel(false);
            assertThat(held.releaseAsync().get(Pace.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(ReleaseOutcome.RELEASED);
            CompletableFuture<Integer> done = lock.callAsync(() -> CompletableFuture.completedFuture(++count));
            assertThat(done.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreads() throws Exception {
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("stock:iphone");
            List<Future<?>> all = IntStream.range(0, 100)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> {
                        lock.run(() -> count++);
                        return null;
                    }))
                    .toList();
            for (Future<?> one : all) {
                one.get(Pace.seconds(), TimeUnit.SECONDS);
            }
            assertThat(count).isEqualTo(100);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aLossIsTold() throws InterruptedException {
        try (Belay belay = Belay.connect(url);
                Belay operator = Belay.connect(url)) {
            Lease lease = belay.lock("stock:iphone").acquire();
            assertThat(operator.onBehalfOf("ada").admin().forceRelease("stock:iphone"))
                    .isTrue();
            assertThatThrownBy(lease::ensureHeld).isInstanceOfSatisfying(LeaseLostException.class, lost -> {
                assertThat(lost.reason()).contains(LossReason.FORCED);
                assertThat(lost.isReleased()).isFalse();
            });
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        }
    }

    @Test
    void closeOnceAllHaveReleased() throws InterruptedException {
        Belay belay = Belay.connect(url);
        Lease lease = belay.lock("stock:iphone").acquire();
        Thread holder = new Thread(lease::release);
        holder.start();
        belay.close(Pace.patience());
        holder.join();
        assertThat(lease.release()).as("in time").isEqualTo(ReleaseOutcome.RELEASED);
        assertThatThrownBy(() -> belay.lock("stock:iphone").tryAcquire()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void statistics() throws InterruptedException {
        try (Belay belay = Belay.connect(url)) {
            belay.lock("stock:iphone").run(() -> count++);
            BelayAdmin admin = belay.admin();
            assertThat(admin.health().answering()).isTrue();
            try (Lease lease = belay.lock("stock:iphone").acquire()) {
                assertThat(admin.holds())
                        .singleElement()
                        .satisfies(hold -> assertThat(hold.token()).isEqualTo(lease.token()));
                assertThat(admin.inspect("stock:iphone").claims()).hasSize(1);
                assertThat(admin.names("stock:")).containsExactly("stock:iphone");
            }
            assertThat(admin.statistics().locks()).containsOnlyKeys("stock");
            assertThat(Optional.ofNullable(admin.statistics().locks().get("stock")))
                    .get()
                    .satisfies(counts -> assertThat(counts.now().holding()).isZero());
        }
    }
}
