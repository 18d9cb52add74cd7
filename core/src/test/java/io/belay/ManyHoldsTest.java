package io.belay;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client that holds 20,000 locks and waits for 800 of them, each for longer than waits should last. */
@Tag("single")
@Tag("long")
class ManyHoldsTest {
    private static final int HELD = 20_000;
    private static final int WAITS = 800;
    private static final int LEASES = 40;

    private final AtomicInteger slow = new AtomicInteger();
    private final String store = "memory:" + UUID.randomUUID();
    private final BelayOptions options = BelayOptions.defaults().withListener(new BelayListener() {
        @Override
        public void slowWait(SlowWait wait) {
            slow.incrementAndGet();
        }
    });

    /** By how much a listener was told later than its lease was over; negative if earlier. */
    private static List<Duration> lateness(Belay belay, String prefix, Duration first) throws Exception {
        List<Duration> late = new CopyOnWriteArrayList<>();
        List<CompletableFuture<?>> told = new ArrayList<>();
        for (int i = 0; i < LEASES; i++) {
            Duration lease = first.plusMillis(250L * i);
            CompletableFuture<Void> one = new CompletableFuture<>();
            long begun = System.nanoTime();
            belay.lock(prefix + i, LockOptions.defaults().withFixedLease(lease))
                    .tryAcquire()
                    .orElseThrow()
                    .onLost(loss -> {
                        late.add(Duration.ofNanos(System.nanoTime() - begun).minus(lease));
                        one.complete(null);
                    });
            told.add(one);
        }
        CompletableFuture.allOf(told.toArray(CompletableFuture[]::new)).get(first.toSeconds() + 60, TimeUnit.SECONDS);
        return late;
    }

    /** Another client, which has nothing else to do at the same time, shows what this machine needs. */
    @Test
    void losesAreToldInTimeWhileEightHundredWaitsAreReported() throws Exception {
        Premise.withLease(Duration.ofSeconds(1), this::losesAreToldInTime);
    }

    private void losesAreToldInTime(Duration first) throws Exception {
        slow.set(0);
        try (Belay busy = Belay.connect(store, options);
                Belay idle = Belay.connect(store);
                Stalls stalls = Stalls.watch()) {
            List<Lease> held = IntStream.range(0, HELD)
                    .mapToObj(i -> busy.lock("held-" + i).tryAcquire().orElseThrow())
                    .collect(toCollection(ArrayList::new));
            List<CompletableFuture<Lease>> waits = IntStream.range(0, WAITS)
                    .mapToObj(i -> busy.lock("held-" + i).acquireAsync())
                    .toList();
            CompletableFuture<List<Duration>> control = CompletableFuture.supplyAsync(() -> {
                try {
                    return lateness(idle, "idle-", first);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            List<Duration> late = lateness(busy, "busy-", first);
            assertThat(waits).as("what they wait for is held").noneMatch(CompletableFuture::isDone);
            Duration machine = control.get(first.toSeconds() + 60, TimeUnit.SECONDS).stream()
                    .max(Duration::compareTo)
                    .orElseThrow();
            assertThat(late).hasSize(LEASES);
            long most = machine.plusMillis(500).toMillis();
            stalls.inTime(
                    late.stream().allMatch(each -> stalls.given(each.toMillis()) <= most),
                    "told within " + most + " ms, as by a client that had nothing else to do within " + machine + ": "
                            + late);
            await().atMost(Duration.ofMinutes(1)).until(() -> slow.get() >= WAITS);
            waits.forEach(wait -> wait.cancel(false));
            held.forEach(Lease::release);
        }
    }
}
