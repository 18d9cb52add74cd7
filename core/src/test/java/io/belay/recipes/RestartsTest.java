package io.belay.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Pace;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several locks of which one is lost before the last is had, again and again. */
class RestartsTest {
    /** The pauses before the sixth attempt, all together. */
    private static final long PAUSES =
            Duration.ofMillis(20 + 40 + 80 + 160 + 320).toNanos();

    private final Belay belay = Belay.connect("memory:" + UUID.randomUUID());
    private final AtomicInteger attempts = new AtomicInteger();

    @AfterEach
    void close() {
        belay.close();
    }

    /** Two locks, of which the first is taken away by the time the second is had, but at the sixth attempt. */
    private MultiLock both() {
        DistributedLock first = belay.lock("a", LockOptions.defaults().withFixedLease(Duration.ofMinutes(1)));
        DistributedLock second = belay.lock("b");
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DistributedLock.class}, (self, method, arguments) -> {
                    if (method.getName().startsWith("acquire") && attempts.incrementAndGet() < 6) {
                        assertThat(belay.admin().forceRelease("a")).isTrue();
                    }
                    try {
                        return method.invoke(second, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return MultiLock.of(first, (DistributedLock) proxy);
    }

    @Test
    void eachNewAttemptWaitsLonger() throws Exception {
        long began = System.nanoTime();
        MultiLease all = both().acquire();
        assertThat(System.nanoTime() - began).isGreaterThan(PAUSES);
        assertThat(attempts).hasValue(6);
        assertThat(all.isHeld()).isTrue();
        all.close();
    }

    @Test
    void soItIsWithoutBlocking() throws Exception {
        long began = System.nanoTime();
        MultiLease all = both().acquireAsync().get(Pace.seconds(), TimeUnit.SECONDS);
        assertThat(System.nanoTime() - began).isGreaterThan(PAUSES);
        assertThat(attempts).hasValue(6);
        assertThat(all.leases()).extracting(Lease::name).containsExactly("a", "b");
        all.close();
    }

    @Test
    void whoGivesUpMeanwhileHasNothing() throws Exception {
        CompletableFuture<MultiLease> waits = both().acquireAsync();
        assertThat(waits.cancel(true)).isTrue();
        for (String name : List.of("a", "b")) {
            try (Lease free = belay.lock(name).tryAcquire(Pace.patience()).orElseThrow()) {
                assertThat(free.isHeld()).isTrue();
            }
        }
    }

    @Test
    void aLineIsLoggedAtOnceAndThenEachTenSeconds() {
        List<String> lines = new ArrayList<>();
        long[] now = {Long.MAX_VALUE - 1};
        Restarts restarts = new Restarts("a + b", () -> now[0], lines::add);
        long longest = 0;
        for (int i = 0; i < 36; i++) {
            long pause = restarts.next("The lease of 'a' ended");
            longest = Math.max(longest, pause);
            now[0] += pause;
        }
        assertThat(longest).isEqualTo(1_000_000_000);
        assertThat(lines)
                .hasSize(4)
                .allMatch(line -> line.contains("'a + b'") && line.endsWith("The lease of 'a' ended"));
    }
}
