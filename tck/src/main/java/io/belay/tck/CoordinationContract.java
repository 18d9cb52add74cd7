package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.DistributedCountDownLatch;
import io.belay.DistributedSemaphore;
import io.belay.LeaderElection;
import io.belay.LeaderElection.Leader;
import io.belay.LeaderElection.Observation;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of semaphores, latches and elections that users rely on, between two clients of a real store. */
abstract class CoordinationContract extends TwoClients {
    /** So long a lease that an observer, or who waits for a latch, does not ask by itself within a test's patience. */
    @Override
    LockOptions options() {
        return LockOptions.defaults().withLease(lease(Duration.ofMinutes(10)));
    }

    /** Returns a time, in seconds, in which nobody has asked by itself, a third of the lease: only a push tells so soon. */
    private long pushed() {
        return Math.min(soon(), options().lease().toSeconds() / 3 - 1);
    }

    @BeforeEach
    void queues() {
        assumeTrue(spec.queues(), "the store keeps no queue and so has no semaphores, latches and elections");
    }

    @Test
    void permitsAreHadAllOrNoneAndInOrder() throws Exception {
        DistributedSemaphore onA = a.semaphore("s", 3);
        DistributedSemaphore onB = b.semaphore("s", 3);
        Lease two = onA.permits(2).acquire();
        assertThat(onB.available()).isEqualTo(1);
        CompletableFuture<Lease> all = onB.permits(3).acquireAsync();
        awaitClaims("s", 2);
        assertThat(onA.tryAcquire())
                .as("the one that is free is for who waits for all")
                .isEmpty();
        giveBack(two);
        giveBack(soon(all));
        assertThat(onA.available()).isEqualTo(3);
        assertThatThrownBy(() -> b.semaphore("s", 4).permits(5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void morePermitsServeThoseWhoWait() throws Exception {
        Lease all = a.semaphore("s", 2).permits(2).acquire();
        CompletableFuture<Lease> next = b.semaphore("s", 2).permits(2).acquireAsync();
        awaitClaims("s", 2);
        a.semaphore("s", 2).resize(4);
        giveBack(soon(next));
        giveBack(all);
        assertThat(b.semaphore("s", 4).available()).isEqualTo(4);
    }

    @Test
    void neverMorePermitsThanThereAre() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Callable<Void>> all = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            DistributedSemaphore semaphore = (t % 2 == 0 ? a : b).semaphore("s", 3);
            int permits = 1 + t % 3;
            all.add(() -> {
                for (int i = 0; i < 40; i++) {
                    Lease lease = semaphore.permits(permits).acquire();
                    assertThat(inside.addAndGet(permits)).isLessThanOrEqualTo(3);
                    inside.addAndGet(-permits);
                    giveBack(lease);
                }
                return null;
            });
        }
        together(all);
    }

    @Test
    void aLatchThatNobodyHasSetLetsEverybodyPass() throws Exception {
        DistributedCountDownLatch latch = a.countDownLatch("l");
        assertThat(latch.getCount()).isZero();
        assertThat(latch.countDown()).isZero();
        assertThat(latch.delete()).isFalse();
        latch.await();
        assertThat(latch.await(Duration.ZERO)).isTrue();
        latch.awaitAsync().get(soon(), TimeUnit.SECONDS);
        assertThat(a.admin().inspect("l").claims()).isEmpty();
    }

    @Test
    void allWhoWaitPassWhenTheCountReachesZero() throws Exception {
        DistributedCountDownLatch onA = a.countDownLatch("l");
        DistributedCountDownLatch onB = b.countDownLatch("l");
        assertThat(onA.trySetCount(2)).isTrue();
        assertThat(onB.trySetCount(5)).isFalse();
        assertThat(onB.getCount()).isEqualTo(2);
        List<CompletableFuture<Void>> waits = List.of(onA.awaitAsync(), onB.awaitAsync(), onB.awaitAsync());
        assertThat(answered(() -> onB.await(Duration.ZERO))).isFalse();
        assertThat(answered(() -> onB.await(Duration.ofMillis(20)))).isFalse();
        staysUndone(waits.get(0));
        assertThat(onB.countDown()).isEqualTo(1);
        staysUndone(waits.get(1));
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        assertThat(onB.countDown()).isZero();
        for (CompletableFuture<Void> wait : waits) {
            wait.get(pushed(), TimeUnit.SECONDS);
        }
        onA.await();
        assertThat(onA.countDown()).isZero();
    }

    @Test
    void aLatchThatHasOpenedCanBeSetAgainAndDeleted() throws Exception {
        DistributedCountDownLatch onA = a.countDownLatch("l");
        DistributedCountDownLatch onB = b.countDownLatch("l");
        for (int i = 0; i < 10; i++) {
            assertThat(onA.trySetCount(1)).isTrue();
            CompletableFuture<Void> wait = onB.awaitAsync();
            assertThat(answered(() -> onB.await(Duration.ZERO))).isFalse();
            assertThat(onB.countDown()).isZero();
            wait.get(soon(), TimeUnit.SECONDS);
        }
        assertThat(onB.trySetCount(DistributedCountDownLatch.MAX_COUNT)).isTrue();
        assertThat(onA.getCount()).isEqualTo(DistributedCountDownLatch.MAX_COUNT);
        CompletableFuture<Void> wait = onA.awaitAsync();
        CompletableFuture<Void> cancelled = onA.awaitAsync();
        staysUndone(wait);
        cancelled.cancel(true);
        assertThat(onB.delete()).isTrue();
        wait.get(soon(), TimeUnit.SECONDS);
        assertThat(onB.delete()).isFalse();
        assertThat(onA.getCount()).isZero();
        assertThat(onB.trySetCount(7)).isTrue();
        CompletableFuture<Void> forced = onA.awaitAsync();
        assertThat(b.admin().forceRelease("l")).isTrue();
        forced.get(soon(), TimeUnit.SECONDS);
    }

    @Test
    void everyCountDownCountsOnce() throws Exception {
        int each = 15;
        assertThat(a.countDownLatch("l").trySetCount(6 * each)).isTrue();
        CompletableFuture<Void> wait = b.countDownLatch("l").awaitAsync();
        Set<Long> told = ConcurrentHashMap.newKeySet();
        List<Callable<Void>> all = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            DistributedCountDownLatch latch = (t % 2 == 0 ? a : b).countDownLatch("l");
            all.add(() -> {
                for (int i = 0; i < each; i++) {
                    assertThat(told.add(latch.countDown())).isTrue();
                }
                return null;
            });
        }
        together(all);
        assertThat(told).hasSize(6 * each).contains(0L, 6L * each - 1).allMatch(left -> left < 6 * each);
        wait.get(soon(), TimeUnit.SECONDS);
    }

    @Test
    void theCountOutlivesTheClientThatSetIt() throws Exception {
        try (Belay other = connect("other")) {
            assertThat(other.countDownLatch("l").trySetCount(3)).isTrue();
            assertThat(other.countDownLatch("l").countDown()).isEqualTo(2);
        }
        CompletableFuture<Void> wait = a.countDownLatch("l").awaitAsync();
        staysUndone(wait);
        assertThat(b.countDownLatch("l").countDown()).isEqualTo(1);
        assertThat(a.countDownLatch("l").countDown()).isZero();
        wait.get(soon(), TimeUnit.SECONDS);
    }

    @Test
    void candidatesLeadInTheOrderInWhichTheyCame() throws Exception {
        LeaderElection onA = a.election("e");
        LeaderElection onB = b.election("e");
        assertThat(onB.leader()).isEmpty();
        Lease first = onA.campaign();
        assertThat(onB.leader().map(Leader::client)).hasValue("a");
        assertThat(onB.tryCampaign()).isEmpty();
        assertThat(answered(() -> onB.tryCampaign(Duration.ofMillis(300)))).isEmpty();
        // What was given up leaves when the caller has gone already, and is not to be taken for the next.
        awaitClaims("e", 1);
        CompletableFuture<Lease> second = onB.campaignAsync();
        awaitClaims("e", 2);
        CompletableFuture<Lease> third = onA.campaignAsync();
        awaitClaims("e", 3);
        CompletableFuture<Lease> fourth = onB.campaignAsync();
        staysUndone(fourth);
        long token = first.token();
        Lease now = first;
        for (CompletableFuture<Lease> next : List.of(second, third, fourth)) {
            giveBack(now);
            now = soon(next);
            assertThat(now.token()).isGreaterThan(token);
            token = now.token();
            assertThat(onA.leader().map(Leader::token)).hasValue(token);
        }
        assertThat(onA.leader().map(Leader::client)).hasValue("b");
        giveBack(now);
        assertThat(onA.leader()).isEmpty();
        assertThat(now.isHeld()).isFalse();
    }

    @Test
    void whoObservesIsToldOfEveryTermAndNeverLeads() throws Exception {
        BlockingQueue<Optional<Leader>> told = new LinkedBlockingQueue<>();
        Observation observation = b.election("e").observe(told::add);
        assertThat(next(told)).isEmpty();
        assertThat(a.admin().inspect("e").claims()).isEmpty();
        for (Belay belay : List.of(a, b, a)) {
            Lease term = belay.election("e").campaign();
            assertThat(next(told)).map(Leader::token).hasValue(term.token());
            CompletableFuture<Lease> waiting = a.election("e").campaignAsync();
            awaitClaims("e", 2); // else there may be a moment without a leader, which is told, too
            staysUndone(waiting);
            giveBack(term);
            Lease successor = soon(waiting);
            assertThat(next(told)).map(Leader::token).hasValue(successor.token());
            successor.releaseAsync().get(soon(), TimeUnit.SECONDS);
            assertThat(next(told)).isEmpty();
        }
        observation.close();
        giveBack(a.election("e").campaign());
        assertThat(told.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    /** What these have beside their own name has a name, too, and a store is promised that none is longer than users'. */
    @Test
    void theLongestNamesAreCountedDownAndObserved() throws Exception {
        String most = "x".repeat(506);
        List<String> latches = List.of(most + "y", most + "z", most + "xxxxxx");
        for (String name : latches) {
            assertThat(a.countDownLatch(name).trySetCount(2)).isTrue();
        }
        for (String name : latches) {
            assertThat(b.countDownLatch(name).countDown()).isEqualTo(1);
            assertThat(a.countDownLatch(name).countDown()).isZero();
        }
        for (String name : List.of(most + "v", most + "wwwwww")) {
            BlockingQueue<Optional<Leader>> told = new LinkedBlockingQueue<>();
            Observation observation = b.election(name).observe(told::add);
            assertThat(next(told)).isEmpty();
            Lease term = a.election(name).campaign();
            assertThat(next(told)).map(Leader::token).hasValue(term.token());
            giveBack(term);
            observation.close();
        }
    }

    @Test
    void manyMayObserve() throws Exception {
        List<BlockingQueue<Optional<Leader>>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            BlockingQueue<Optional<Leader>> told = new LinkedBlockingQueue<>();
            (i % 2 == 0 ? a : b).election("e").observe(told::add);
            assertThat(next(told)).isEmpty();
            all.add(told);
        }
        Lease term = a.election("e").campaign();
        for (BlockingQueue<Optional<Leader>> told : all) {
            assertThat(next(told)).map(Leader::token).hasValue(term.token());
        }
        giveBack(term);
        for (BlockingQueue<Optional<Leader>> told : all) {
            assertThat(next(told)).isEmpty();
        }
    }

    private Optional<Leader> next(BlockingQueue<Optional<Leader>> told) throws InterruptedException {
        Optional<Leader> next = told.poll(pushed(), TimeUnit.SECONDS);
        assertThat(next).as("what the observer was told").isNotNull();
        return next;
    }

    @Test
    void aLeaderThatIsDeposedKnowsAndSoDoesWhoObserves() throws Exception {
        BlockingQueue<Optional<Leader>> told = new LinkedBlockingQueue<>();
        Lease term = a.election("e").campaign();
        b.election("e").observe(told::add);
        assertThat(next(told)).map(Leader::token).hasValue(term.token());
        CompletableFuture<Void> lost = new CompletableFuture<>();
        term.onLost(loss -> lost.complete(null));
        assertThat(b.admin().forceRelease("e")).isTrue();
        lost.get(soon(), TimeUnit.SECONDS);
        assertThat(next(told)).isEmpty();
        assertThat(term.isHeld()).isFalse();
        assertThat(term.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    @Test
    void whoseClientClosesLeadsNoLonger() throws Exception {
        LockOptions brief = brief();
        BlockingQueue<Optional<Leader>> told = new LinkedBlockingQueue<>();
        b.election("e", brief).observe(told::add);
        assertThat(next(told)).isEmpty();
        try (Belay other = connect("other")) {
            Lease term = other.election("e", brief).campaign();
            assertThat(next(told)).map(Leader::token).hasValue(term.token());
            assertThatThrownBy(() -> other.election("")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(next(told)).isEmpty();
    }
}
