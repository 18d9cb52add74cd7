package io.belay.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** That families are few, also while many threads bring new ones at a time. */
class FamiliesTest {
    private static final int THREADS = 4;

    /** As Spring Integration's aggregators name their locks, one for each group of messages. */
    @Test
    void aUuidIsNoFamily() {
        Families families = new Families(BelayOptions.defaults());
        families.addNamespace("orders:");
        for (int i = 0; i < 200; i++) {
            assertThat(families.nameOf("orders:" + UUID.randomUUID())).isEqualTo("orders");
            assertThat(families.nameOf(UUID.randomUUID() + ":x")).isEqualTo(Statistics.OTHER);
        }
        String nearly = "0f6e1c2a-0b1d-4c3e-9f70-0123456789ag";
        assertThat(families.nameOf(nearly)).isEqualTo(nearly);
        assertThat(families.nameOf("stock:1")).isEqualTo("stock");
    }

    @Test
    void thereIsNoRoomForMoreThanAHundred() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < 300; round++) {
                assertThat(familiesOfManyThreads(pool)).hasSizeLessThanOrEqualTo(101);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static Set<String> familiesOfManyThreads(ExecutorService pool) throws Exception {
        Families families = new Families(BelayOptions.defaults());
        Set<String> found = ConcurrentHashMap.newKeySet();
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<?>> threads = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            String prefix = "thread" + thread + "-";
            threads.add(pool.submit(() -> {
                start.await();
                for (int i = 0; i < 100; i++) {
                    found.add(families.nameOf(prefix + i));
                }
                return null;
            }));
        }
        for (Future<?> thread : threads) {
            thread.get();
        }
        assertThat(families.all).containsOnlyKeys(found);
        return found;
    }

    @Test
    void theSegmentsOfAStripedLockAreOneFamily() {
        Families families = new Families(BelayOptions.defaults());
        for (int i = 0; i < 200; i++) {
            assertThat(families.nameOf("stock#" + i)).isEqualTo("stock");
        }
        assertThat(families.nameOf("stock")).isEqualTo("stock");
        assertThat(families.nameOf("c#")).isEqualTo("c#");
        assertThat(families.nameOf("a#1b")).isEqualTo("a#1b");
        assertThat(families.nameOf("a#1:b")).isEqualTo("a#1");
    }
}
