package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.recipes.BatchedLock;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import io.belay.recipes.StripedLock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is made of locks by the API alone, and so is the same on every store: several locks as one, segments, batches. */
class RecipesTest extends TwoClients {
    @Override
    StoreSpec open() {
        String url = "memory:" + UUID.randomUUID();
        return () -> url;
    }

    @Test
    void severalLocksAreTakenInOneOrderWhateverOrderTheyAreNamedIn() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Callable<Void>> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Belay belay = t % 2 == 0 ? a : b;
            MultiLock lock = MultiLock.of(belay, t < 2 ? List.of("p", "q", "r", "q") : List.of("r", "q", "p"));
            all.add(() -> {
                for (int i = 0; i < 40; i++) {
                    MultiLease lease =
                            i % 2 == 0 ? lock.acquire() : lock.acquireAsync().get();
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    assertThat(lease.isHeld()).isTrue();
                    inside.decrementAndGet();
                    assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                }
                return null;
            });
        }
        together(all);
    }

    @Test
    void ofSeveralLocksNoneIsKeptIfOneIsNotHad() throws Exception {
        Lease q = b.lock("q").acquire();
        MultiLock lock = MultiLock.of(a, List.of("p", "q"));
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire(A_WHILE)).isEmpty();
        CompletableFuture<MultiLease> cancelled = lock.acquireAsync();
        staysUndone(cancelled);
        cancelled.cancel(true);
        giveBack(soon(b.lock("p").acquireAsync()));
        giveBack(q);
        MultiLease both = lock.acquire();
        assertThat(b.lock("p").tryAcquire()).isEmpty();
        assertThat(b.lock("q").tryAcquire()).isEmpty();
        List<String> lost = new ArrayList<>();
        CompletableFuture<Void> told = new CompletableFuture<>();
        both.onLost(loss -> {
            lost.add(loss.getMessage());
            told.complete(null);
        });
        b.admin().forceRelease("q");
        told.get(soon(), TimeUnit.SECONDS);
        assertThat(lost).hasSize(1);
        assertThat(both.isHeld()).isFalse();
        assertThat(both.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        giveBack(soon(b.lock("p").acquireAsync()));
    }

    @Test
    void whatIsCutIntoSegmentsIsSoldToTheLastPieceAndNoFurther() throws Exception {
        int[] stock = new int[4];
        Arrays.fill(stock, 10);
        AtomicInteger sold = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        List<Callable<Void>> all = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            StripedLock lock = StripedLock.of(t % 2 == 0 ? a : b, "stock", stock.length);
            all.add(() -> {
                for (int i = 0; i < 10; i++) {
                    Optional<Integer> piece = lock.serve((segment, lease) -> {
                        if (stock[segment] == 0) {
                            return Optional.empty();
                        }
                        return Optional.of(stock[segment]--);
                    });
                    (piece.isPresent() ? sold : refused).incrementAndGet();
                }
                return null;
            });
        }
        together(all);
        assertThat(stock).containsOnly(0);
        assertThat(sold).hasValue(40);
        assertThat(refused).hasValue(20);
    }

    @Test
    void aBusySegmentIsWaitedForOnlyWhenAllOthersHaveRefused() throws Exception {
        StripedLock lock = StripedLock.of(a, "stock", 3);
        Lease busy = b.lock("stock#1").acquire();
        assertThat(lock.serve((segment, lease) -> Optional.of(segment))).get().isIn(0, 2);
        try (StripedLock.Segment one = lock.tryAcquireAny().orElseThrow();
                StripedLock.Segment other = lock.acquireAnyAsync().get(soon(), TimeUnit.SECONDS)) {
            assertThat(one.number() + other.number()).isEqualTo(2);
            assertThat(lock.tryAcquireAny()).isEmpty();
            assertThat(lock.tryAcquireAny(Duration.ofMillis(10))).isEmpty();
        }
        try (StripedLock.Segment one = lock.tryAcquireAny().orElseThrow();
                StripedLock.Segment other = lock.acquireAnyAsync().get(soon(), TimeUnit.SECONDS)) {
            assertThat(one.number() + other.number()).isEqualTo(2);
            assertThat(lock.tryAcquireAny()).isEmpty();
            assertThat(lock.tryAcquireAny(Duration.ofMillis(10))).isEmpty();
        }
        CompletableFuture<Optional<Integer>> rare = CompletableFuture.supplyAsync(() -> {
            try {
                return lock.serve((segment, lease) -> segment == 1 ? Optional.of(1) : Optional.empty());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        staysUndone(rare);
        giveBack(busy);
        assertThat(rare.get(soon(), TimeUnit.SECONDS)).hasValue(1);
        try (MultiLease every = lock.all().acquire()) {
            assertThat(b.lock("stock#2").tryAcquire()).isEmpty();
        }
    }

    /** A loop that takes one after the other ends by it, as where it waits. */
    @Test
    void whoIsInterruptedBeforeTakesNoSegmentThoughItIsFree() {
        StripedLock lock = StripedLock.of(a, "stock", 3);
        for (ThrowingCallable take :
                List.<ThrowingCallable>of(lock::acquireAny, () -> lock.tryAcquireAny(Duration.ofSeconds(1)))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(take).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
        }
        assertThat(lock.tryAcquireAny()).isPresent().get().satisfies(StripedLock.Segment::close);
    }

    /** Versions of Belay that run side by side must serve a key from one segment. */
    @Test
    void aKeyBelongsToTheSameSegmentInEveryProcess() {
        StripedLock lock = StripedLock.of(a, "stock", 20);
        assertThat(List.of("key", "order:4711", "größe", ""))
                .map(lock::segmentOf)
                .containsExactly(17, 13, 13, 0);
        assertThat(lock.forKey("key").name()).isEqualTo("stock#17");
    }

    @Test
    void whatIsAskedForTogetherIsWorkedOffTogether() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger batches = new AtomicInteger();
        BatchedLock.Handler<Integer, Integer> handler = (entries, lease) -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            assertThat(entries).hasSizeBetween(1, 50);
            batches.incrementAndGet();
            Thread.sleep(5);
            for (BatchedLock.Entry<Integer, Integer> entry : entries) {
                if (entry.request() % 10 == 0) {
                    entry.fail(new IllegalArgumentException("no tens"));
                } else if (entry.request() % 10 != 9) { // of nines it tells nothing
                    entry.complete(entry.request() * 2);
                }
            }
            inside.decrementAndGet();
        };
        List<BatchedLock<Integer, Integer>> locks = List.of(
                BatchedLock.of(a.lock("x"), 50, handler),
                BatchedLock.of(b.lock("x"), 50, Duration.ofMillis(10), handler));
        Lease others = b.lock("x").acquire(); // until all are asked for
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            all.add(locks.get(i % 2).submit(i));
        }
        giveBack(others);
        for (int i = 0; i < 400; i++) {
            CompletableFuture<Integer> one = all.get(i);
            if (i % 10 == 0 || i % 10 == 9) {
                assertThatThrownBy(() -> one.get(soon(), TimeUnit.SECONDS))
                        .hasMessageContaining(i % 10 == 0 ? "no tens" : "told nothing of this request");
            } else {
                assertThat(one.get(soon(), TimeUnit.SECONDS)).isEqualTo(2 * i);
            }
        }
        assertThat(batches.get()).isBetween(8, 100);
    }

    @Test
    void aBatchMayWaitForOthersForEver() {
        BatchedLock<Integer, Integer> lock =
                BatchedLock.of(a.lock("x"), 2, ChronoUnit.FOREVER.getDuration(), (entries, lease) -> {});
        assertThat(lock.submit(1)).isNotDone();
        assertThatThrownBy(() -> BatchedLock.of(a.lock("x"), 2, Duration.ofNanos(-1), (entries, lease) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("age is PT-0.000000001S");
    }

    /** Those that came while another batch was worked off wait for others as well. */
    @Test
    void aFullBatchBeginsAtOnceAndEachWaitsForOthers() throws Exception {
        List<Integer> sizes = new ArrayList<>();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        BatchedLock<Integer, Integer> lock =
                BatchedLock.of(a.lock("x"), 2, ChronoUnit.FOREVER.getDuration(), (entries, lease) -> {
                    sizes.add(entries.size());
                    begun.complete(null);
                    goOn.join();
                    entries.forEach(entry -> entry.complete(entry.request()));
                });
        CompletableFuture<Integer> first = lock.submit(1);
        lock.submit(2);
        begun.get(soon(), TimeUnit.SECONDS);
        CompletableFuture<Integer> third = lock.submit(3);
        goOn.complete(null);
        assertThat(first.get(soon(), TimeUnit.SECONDS)).isEqualTo(1);
        lock.submit(4);
        assertThat(third.get(soon(), TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(sizes).containsExactly(2, 2);
    }

    /** A request whose words are not to be had any more. */
    private static final class Detached {
        @Override
        public String toString() {
            throw new IllegalStateException("its session is over");
        }
    }

    @Test
    void aRequestThatCannotBeShownStopsNobody() throws Exception {
        BatchedLock<Detached, Boolean> lock = BatchedLock.of(a.lock("x"), 1, (entries, lease) -> {});
        for (int i = 0; i < 2; i++) {
            CompletableFuture<Boolean> untold = lock.submit(new Detached());
            assertThatThrownBy(() -> untold.get(soon(), TimeUnit.SECONDS)).hasMessageContaining("told nothing");
        }
    }

    @Test
    void aBatchThatFailsFailsItsOwnAlone() throws Exception {
        AtomicInteger batches = new AtomicInteger();
        BatchedLock<Integer, Integer> lock = BatchedLock.of(a.lock("x"), 1, (entries, lease) -> {
            if (batches.incrementAndGet() == 1) {
                throw new IllegalStateException("on purpose");
            }
            entries.forEach(entry -> entry.complete(entry.request()));
        });
        CompletableFuture<Integer> first = lock.submit(1);
        CompletableFuture<Integer> second = lock.submit(2);
        assertThatThrownBy(() -> first.get(soon(), TimeUnit.SECONDS)).hasMessageContaining("on purpose");
        assertThat(second.get(soon(), TimeUnit.SECONDS)).isEqualTo(2);
        giveBack(soon(b.lock("x").acquireAsync()));
    }

    @Test
    void anInterruptThatAHandlerLeavesConcernsNoOtherBatch() throws Exception {
        BatchedLock<Integer, Integer> lock = BatchedLock.of(a.lock("x"), 1, (entries, lease) -> {
            entries.forEach(entry -> entry.complete(entry.request()));
            Thread.currentThread().interrupt();
        });
        Lease others = b.lock("x").acquire(); // so that one thread does both
        CompletableFuture<Integer> first = lock.submit(1);
        CompletableFuture<Integer> second = lock.submit(2);
        giveBack(others);
        assertThat(first.get(soon(), TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(second.get(soon(), TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void whoSubmitsDoesNotWorkAndManyBatchesFollowEachOther() throws Exception {
        Thread caller = Thread.currentThread();
        BatchedLock<Integer, Integer> lock = BatchedLock.of(a.lock("x"), 1, (entries, lease) -> {
            assertThat(Thread.currentThread()).isNotSameAs(caller);
            entries.forEach(entry -> entry.complete(entry.request()));
        });
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            all.add(lock.submit(i));
        }
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i).get(soon(), TimeUnit.SECONDS)).isEqualTo(i);
        }
    }

    @Test
    void anErrorOfTheHandlerIsToldAndStopsNoOtherBatch() throws Exception {
        BatchedLock<Integer, Integer> lock = BatchedLock.of(a.lock("x"), 1, (entries, lease) -> {
            if (entries.get(0).request() == 1) {
                throw new AssertionError("on purpose");
            }
            entries.forEach(entry -> entry.complete(entry.request()));
        });
        assertThatThrownBy(() -> lock.submit(1).get(soon(), TimeUnit.SECONDS)).hasMessageContaining("on purpose");
        assertThat(lock.submit(2).get(soon(), TimeUnit.SECONDS)).isEqualTo(2);
    }
}
