package io.belay.dashboard.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Inspection.Claim;
import io.belay.LockMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rings among many holders, each of whom waits for the lock of the next one. */
class SeenRingsTest {
    private final List<SeenLock> locks = new ArrayList<>();

    /** Adds a lock, whose holder waits for another one. */
    private void lock(int number, int waitsFor) {
        Claim holder = new Holder(number, Optional.of("lock " + waitsFor));
        locks.add(new SeenLock("lock " + number, Who.of(holder), 1, 1, 1, 0, 1, 0, false, 0, List.of(holder)));
    }

    /** Returns the locks of each ring that was there twice in a row. */
    private List<List<String>> rings() {
        SeenRings rings = new SeenRings();
        assertThat(rings.confirm(locks, false)).isEmpty();
        return rings.confirm(locks, false).stream()
                .map(ring -> ring.stream().map(SeenRings.Link::holds).toList())
                .toList();
    }

    /** A walk that ends amid the ring, and takes what it has met for done, would find it from nowhere else. */
    @Test
    void aRingIsFoundBehindAQueueOfAnyLength() {
        for (int queue = 0; queue < 50; queue++) {
            locks.clear();
            for (int i = 0; i <= queue; i++) {
                lock(i, i + 1);
            }
            lock(queue + 1, queue);
            List<List<String>> rings = rings();
            assertThat(rings).as("behind %d", queue).hasSize(1);
            assertThat(rings.get(0)).containsExactlyInAnyOrder("lock " + queue, "lock " + (queue + 1));
        }
    }

    @Test
    void aRingOfThousandsIsFoundOnceFromWhereverAQueueLeadsIntoIt() {
        int many = 20_000;
        lock(many, many / 2);
        for (int i = 0; i < many; i++) {
            lock(i, (i + 1) % many);
        }
        assertThat(rings()).singleElement().satisfies(ring -> assertThat(ring).hasSize(many));
    }

    private record Holder(int number, Optional<String> waitsFor) implements Claim {
        @Override
        public String client() {
            return "client " + number;
        }

        @Override
        public String host() {
            return "host";
        }

        @Override
        public long process() {
            return number;
        }

        @Override
        public String thread() {
            return "thread";
        }

        @Override
        public String behalf() {
            return "";
        }

        @Override
        public int place() {
            return 0;
        }

        @Override
        public long token() {
            return 1;
        }

        @Override
        public LockMode mode() {
            return LockMode.EXCLUSIVE;
        }

        @Override
        public int permits() {
            return 1;
        }

        @Override
        public Duration age() {
            return Duration.ZERO;
        }

        @Override
        public Optional<Duration> held() {
            return Optional.of(Duration.ZERO);
        }

        @Override
        public Optional<Duration> heard() {
            return Optional.empty();
        }

        @Override
        public Duration remaining() {
            return Duration.ZERO;
        }

        @Override
        public int localWaiters() {
            return 0;
        }

        @Override
        public boolean own() {
            return false;
        }
    }
}
