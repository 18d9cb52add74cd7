package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.ClaimId;
import org.junit.jupiter.api.Test;

/** Claims come out after their ends, the first to end first, also where the clock overflows meanwhile. */
class EndingsTest {
    private static final long NEAR_OVERFLOW = Long.MAX_VALUE - 5;

    private final Endings endings = new Endings();

    private static long after(long nanos) {
        return NEAR_OVERFLOW + nanos;
    }

    private static ClaimId id(long number) {
        return ClaimId.of(1, number);
    }

    @Test
    void theFirstToEndComesFirst() {
        endings.put(id(1), after(10));
        endings.put(id(2), after(1));
        endings.put(id(3), after(1));
        endings.put(id(4), after(20));
        assertThat(endings.next(after(0))).isNull();
        assertThat(endings.next(after(10))).isEqualTo(id(2));
        assertThat(endings.next(after(10))).isEqualTo(id(3));
        assertThat(endings.next(after(10))).isEqualTo(id(1));
        assertThat(endings.next(after(10))).isNull();
    }

    @Test
    void aMovedEndCountsAlone() {
        endings.put(id(1), after(1));
        endings.put(id(1), after(10));
        assertThat(endings.next(after(9))).isNull();
        endings.put(id(1), after(2));
        assertThat(endings.next(after(9))).isEqualTo(id(1));
        assertThat(endings.next(after(99))).isNull();
    }

    @Test
    void whatIsRemovedDoesNotCome() {
        endings.put(id(1), after(1));
        endings.remove(id(1));
        endings.remove(id(2));
        assertThat(endings.next(after(9))).isNull();
    }

    @Test
    void anEndThatMayBeMovedCountsWhereItIsLater() {
        endings.put(id(1), after(10));
        endings.postpone(id(1), after(5));
        endings.postpone(id(2), after(5));
        assertThat(endings.next(after(9))).as("the one before may stay").isNull();
        endings.postpone(id(1), after(20));
        assertThat(endings.next(after(19))).isNull();
        assertThat(endings.next(after(20))).isEqualTo(id(1));
        assertThat(endings.next(after(99))).as("it had no end").isNull();
    }
}
