package io.belay.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.recipes.StripedLock.Segment;
import io.belay.servers.Pace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who takes any segment has the lock of the one that it is told. The suite of the stores has the rest. */
class StripedLockTest {
    private static final int SEGMENTS = 3;

    private final String url = "memory:" + UUID.randomUUID();
    private final Belay belay = Belay.connect(url);
    private final Belay other = Belay.connect(url);
    private final StripedLock stock = StripedLock.of(belay, "stock", SEGMENTS);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Supplier<Future<Segment>>> ways = List.of(
            () -> threads.submit(stock::acquireAny),
            () -> threads.submit(() -> stock.tryAcquireAny(Pace.patience()).orElseThrow()),
            stock::acquireAnyAsync);

    /** A worker that is to end does so though there is always a free segment. */
    @Test
    void nothingIsServedByAThreadThatWasInterrupted() {
        AtomicInteger served = new AtomicInteger();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> stock.serve((segment, lease) -> Optional.of(served.incrementAndGet())))
                .isInstanceOf(InterruptedException.class);
        assertThat(served).hasValue(0);
        assertThat(belay.admin().holds()).isEmpty();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        other.close();
        belay.close();
    }

    private List<Lease> taken(int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(number -> other.lock("stock#" + number).tryAcquire().orElseThrow())
                .toList();
    }

    private int claims() {
        return IntStream.range(0, SEGMENTS)
                .map(number -> other.admin().inspect("stock#" + number).claims().size())
                .sum();
    }

    private static Segment soon(Future<Segment> taken) throws Exception {
        Segment segment = taken.get(Pace.seconds(), TimeUnit.SECONDS);
        assertThat(segment.lease().name()).isEqualTo("stock#" + segment.number());
        assertThat(segment.lease().isHeld()).isTrue();
        return segment;
    }

    /** The lot may fall on the same number each time, but not for long. */
    @Test
    void whoWaitsForAnyIsToldTheOneWhoseLockItHas() throws Exception {
        for (int round = 0; round < 20; round++) {
            for (Supplier<Future<Segment>> way : ways) {
                List<Lease> theirs = taken(0, 1, 2);
                Future<Segment> waiting = way.get();
                await().pollInterval(Duration.ofMillis(2))
                        .atMost(Pace.patience())
                        .until(() -> claims() > SEGMENTS);
                assertThat(waiting.isDone()).isFalse();
                theirs.forEach(Lease::release);
                soon(waiting).close();
            }
        }
    }

    @Test
    void theOneThatIsFreeIsTakenWithoutAWait() throws Exception {
        for (Supplier<Future<Segment>> way : ways) {
            List<Lease> theirs = taken(0, 2);
            try (Segment free = soon(way.get())) {
                assertThat(free.number()).isEqualTo(1);
            }
            theirs.forEach(Lease::release);
        }
    }

    /** The try that is under way may be granted just then: nobody has had that. */
    @Test
    void whoGivesUpAnyKeepsNone() {
        Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
        LockOptions tenMinutes = LockOptions.defaults().withAtLeast(Duration.ofMinutes(10));
        try (Belay slow = Belay.connect(url, BelayOptions.defaults().withCallbackExecutor(callbacks::add))) {
            CompletableFuture<Segment> any =
                    StripedLock.of(slow, "stock", SEGMENTS, tenMinutes).acquireAnyAsync();
            await().atMost(Pace.patience()).until(() -> !callbacks.isEmpty()); // it was granted
            assertThat(any.cancel(false)).isTrue();
            callbacks.forEach(Runnable::run);
            await().atMost(Pace.patience()).until(() -> claims() == 0);
        }
    }

    @Test
    void theOptionsAreThoseOfEachSegment() {
        StripedLock ofSevenSeconds =
                StripedLock.of(belay, "stock", SEGMENTS, LockOptions.defaults().withLease(Duration.ofSeconds(7)));
        for (Lease lease : ofSevenSeconds.all().tryAcquire().orElseThrow().leases()) {
            assertThat(lease.remaining()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(7));
        }
    }
}
