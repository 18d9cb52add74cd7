package io.belay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.Pace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a user relies on, through the public API, on the memory store. */
class LockTest {
    private final String url = "memory:" + UUID.randomUUID();

    @Test
    void aFreeLockIsHadAndGivenBack() throws Exception {
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("a");
            Lease lease = lock.acquire();
            assertThat(lease.isHeld()).isTrue();
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(lease.isHeld()).isFalse();
            Optional<Lease> next = lock.tryAcquire();
            assertThat(next).isPresent();
            assertThat(next.orElseThrow().token()).isGreaterThan(lease.token());
        }
    }

    @Test
    void anAsynchronousBodyHasTheLockUntilItsEnd() throws Exception {
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("a");
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = lock.callAsync(() -> work);
            while (belay.admin().holds().isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(lock.tryAcquire()).isEmpty();
            work.complete("done");
            assertThat(result.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(belay.admin().holds()).isEmpty();
        }
    }

    /** Also where it is given back without the store, on the thread that ends the body: that may be an event loop's. */
    @Test
    void whatFollowsAnAsynchronousBodyRunsOnACallbackThread() throws Exception {
        LockOptions sticky = LockOptions.defaults().withSticky(Duration.ofMinutes(1));
        try (Belay belay = Belay.connect(url)) {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> thread = belay.lock("a", sticky)
                    .callAsync(() -> work)
                    .thenApply(done -> Thread.currentThread().getName());
            while (belay.admin().holds().isEmpty()) {
                Thread.onSpinWait();
            }
            work.complete("done");
            assertThat(thread.get(Pace.seconds(), TimeUnit.SECONDS)).startsWith("belay-callback");
        }
    }

    @Test
    void anAsynchronousBodyThatFailsGivesTheLockBack() {
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("a");
            List<Supplier<CompletableFuture<String>>> bodies =
                    List.of(() -> CompletableFuture.failedFuture(new IllegalStateException("its own")), () -> {
                        throw new IllegalStateException("its own");
                    });
            for (Supplier<CompletableFuture<String>> body : bodies) {
                assertThatThrownBy(lock.callAsync(body)::join).hasRootCauseMessage("its own");
                assertThat(belay.admin().holds()).isEmpty();
            }
        }
    }

    /** A stage of the user's own may refuse to be followed, and nobody can tell then when the body ends. */
    @Test
    void anAsynchronousBodyThatCannotBeFollowedGivesTheLockBack() {
        CompletableFuture<String> deaf = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(
                    BiConsumer<? super String, ? super @Nullable Throwable> action) {
                throw new IllegalStateException("its own");
            }
        };
        try (Belay belay = Belay.connect(url)) {
            assertThat(belay.lock("a").callAsync(() -> deaf))
                    .failsWithin(Duration.ofSeconds(Pace.seconds()))
                    .withThrowableThat()
                    .havingRootCause()
                    .withMessage("its own");
            assertThat(belay.admin().holds()).isEmpty();
        }
    }

    /** The others may give the lock back just then, in time for the call to be granted what it does not want any more. */
    @Test
    void anAsynchronousCallThatIsCancelledAsOthersGiveBackKeepsNothing() {
        AtomicReference<Lease> others = new AtomicReference<>();
        Runnable giveBack = () -> Optional.ofNullable(others.getAndSet(null)).ifPresent(Lease::release);
        BelayOptions options = BelayOptions.defaults().withCallbackExecutor(task -> {
            giveBack.run();
            task.run();
        });
        LockOptions tenMinutes = LockOptions.defaults().withAtLeast(Duration.ofMinutes(10));
        try (Belay belay = Belay.connect(url, options);
                Belay other = Belay.connect(url)) {
            others.set(other.lock("a").tryAcquire().orElseThrow());
            CompletableFuture<String> call =
                    belay.lock("a", tenMinutes).callAsync(() -> CompletableFuture.failedFuture(new AssertionError()));
            assertThat(call.cancel(false)).isTrue();
            giveBack.run();
            assertThat(other.lock("a").tryAcquire()).isPresent();
        }
    }

    @Test
    void anAsynchronousBodyWhoseLockIsTakenAwayFails() {
        try (Belay belay = Belay.connect(url)) {
            CompletableFuture<String> result = belay.lock("a")
                    .callAsync(() -> CompletableFuture.supplyAsync(() -> {
                        belay.admin().forceRelease("a");
                        while (!belay.admin().holds().isEmpty()) { // until it is known
                            Thread.onSpinWait();
                        }
                        return "done";
                    }));
            assertThatThrownBy(result::join).hasCauseInstanceOf(LeaseLostException.class);
        }
    }

    /** Whether the lock is on its way, is had just then, or is waited for. */
    @Test
    void anAsynchronousCallThatIsCancelledKeepsNothing() throws Exception {
        try (Belay belay = Belay.connect(url)) {
            for (int i = 0; i < 200; i++) {
                CompletableFuture<String> work = new CompletableFuture<>();
                CompletableFuture<String> result = belay.lock("a").callAsync(() -> work);
                TimeUnit.NANOSECONDS.sleep(i * 1_000L);
                result.cancel(false);
                work.complete("its end");
            }
            Lease next = belay.lock("a").acquireAsync().get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(belay.admin().holds()).hasSize(1);
            next.release();
        }
    }

    @Test
    void aThreadThatIsInterruptedBeforeItWaitsDoesNotWait() {
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("a");
            Thread.currentThread().interrupt();
            assertThatThrownBy(lock::acquire).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1))).isInstanceOf(InterruptedException.class);
            assertThat(belay.admin().inspect("a").claims()).isEmpty();
        }
    }

    @Test
    void aBodyRunsUnderTheLockAndItsLossIsThrown() throws Exception {
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("a");
            assertThat(lock.call(() -> belay.admin().inspect("a").claims().size()))
                    .isEqualTo(1);
            assertThatThrownBy(() -> lock.call(() -> {
                        throw new IllegalStateException("the body's own");
                    }))
                    .hasMessage("the body's own");
            assertThatThrownBy(() -> lock.run(() -> belay.admin().forceRelease("a")))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(belay.admin().inspect("a").claims()).isEmpty();
        }
    }

    @Test
    void aBodyThatIsNotHadInTimeDoesNotRun() throws Exception {
        try (Belay belay = Belay.connect(url);
                Belay other = Belay.connect(url)) {
            DistributedLock lock = belay.lock("a");
            Duration wait = Duration.ofMillis(50);
            assertThat(lock.tryCall(
                            wait, () -> belay.admin().inspect("a").claims().size()))
                    .contains(1);
            boolean[] ran = new boolean[1];
            try (Lease held = other.lock("a").acquire()) {
                assertThat(lock.tryCall(wait, () -> ran[0] = true)).isEmpty();
                assertThat(lock.tryRun(wait, () -> ran[0] = true)).isFalse();
                assertThat(lock.tryRun(Duration.ZERO, () -> ran[0] = true)).isFalse();
                assertThat(held.isHeld()).isTrue();
            }
            assertThat(ran[0]).isFalse();
            assertThat(lock.tryRun(wait, () -> ran[0] = true)).isTrue();
            assertThat(ran[0]).isTrue();
            assertThatThrownBy(() -> lock.tryRun(wait, () -> belay.admin().forceRelease("a")))
                    .isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(() -> lock.tryCall(wait, () -> null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("what the body returned");
            assertThat(belay.admin().inspect("a").claims()).isEmpty();
        }
    }

    @Test
    void manyThreadsOfTwoClientsExcludeEachOther() throws Exception {
        int threads = 8;
        int rounds = 20_000;
        long[] counter = new long[2]; // plain on purpose: the lock has to publish it
        try (Belay one = Belay.connect(url);
                Belay two = Belay.connect(url)) {
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            CountDownLatch done = new CountDownLatch(threads);
            for (int t = 0; t < threads; t++) {
                DistributedLock lock = (t % 2 == 0 ? one : two).lock("counter");
                pool.execute(() -> {
                    try {
                        for (int i = 0; i < rounds; i++) {
                            try (Lease lease = lock.acquire()) {
                                assertThat(lease.token()).isGreaterThan(counter[1]);
                                counter[1] = lease.token();
                                counter[0]++;
                            }
                        }
                    } catch (Throwable e) {
                        e.printStackTrace();
                    } finally {
                        done.countDown();
                    }
                });
            }
            assertThat(done.await(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            pool.shutdown();
            assertThat(counter[0]).isEqualTo((long) threads * rounds);
        }
    }

    /** Who is named with the lock, else by the view, else by the client's defaults. */
    @Test
    void whoseBehalfItIs() {
        LockOptions billing = LockOptions.defaults().withBehalf("billing");
        try (Belay belay = Belay.connect(url, BelayOptions.defaults().withLockDefaults(billing))) {
            Belay view = belay.onBehalfOf("order 4711");
            for (var lock : Map.of(
                            belay.lock("a"), "billing",
                            view.lock("b"), "order 4711",
                            view.lock("c", LockOptions.defaults()), "order 4711",
                            view.lock("d", LockOptions.defaults().withBehalf("ada")), "ada",
                            view.namespace("n:").lock("e"), "order 4711")
                    .entrySet()) {
                assertThat(lock.getKey().tryAcquire()).isPresent();
                assertThat(belay.admin().inspect(lock.getKey().name()).claims())
                        .singleElement()
                        .satisfies(claim -> assertThat(claim.behalf()).isEqualTo(lock.getValue()));
            }
        }
    }
}
