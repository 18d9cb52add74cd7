package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class HeadTest {
    @Test
    void whatIsPutInComesOut() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long version = random.nextLong() >>> 21;
            int slot = random.nextInt(Head.SLOTS);
            int toggle = random.nextInt(2);
            long head = Head.of(version, slot, toggle);
            assertThat(Head.version(head)).isEqualTo(version);
            assertThat(Head.slot(head)).isEqualTo(slot);
            assertThat(Head.toggle(head)).isEqualTo(toggle);
            assertThat(Head.isEmpty(head)).isEqualTo(slot == Head.NOBODY);
        }
        assertThat(Head.isEmpty(Head.EMPTY)).isTrue();
    }

    @Test
    void versionsBeginAnewAfterTheLast() {
        long last = (1L << 43) - 1;
        assertThat(Head.next(Head.of(last, 5, 0))).isZero();
        assertThat(Head.next(Head.of(last - 1, 5, 0))).isEqualTo(last);
    }

    /** What a disk or a slip of the pen leaves: it is not taken for a bucket without claims. */
    @Test
    void rubbishIsNotEmpty() {
        assertThat(Head.isEmpty(0)).isFalse();
        assertThat(Head.isEmpty(-1)).isFalse();
        for (int bit = 0; bit < 64; bit++) {
            assertThat(Head.isEmpty(Head.of(7, 3, 1) ^ 1L << bit)).isFalse();
        }
        Random random = new Random(2);
        int empty = 0;
        for (int i = 0; i < 1_000_000; i++) {
            empty += Head.isEmpty(random.nextLong()) ? 1 : 0;
        }
        assertThat(empty).isLessThan(10);
    }
}
