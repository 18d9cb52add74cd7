package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.ClaimId;
import io.belay.support.Moment;
import org.junit.jupiter.api.Test;

/** Claims come out after their ends, the first to end first, also where the clock overflows meanwhile. */
class EndingsTest {
    private static final long NEAR_OVERFLOW = Long.MAX_VALUE - 5;

    private final Endings endings = new Endings();

    private static long after(long nanos) {
        return NEAR_OVERFLOW + nanos;
    }

    private static Deadline lease(long nanos) {
        return new Deadline(new Moment(0, 0), after(nanos));
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
    void anEndThatIsKnownStays() {
        endings.put(id(1), after(10));
        endings.putIfAbsent(id(1), after(1));
        endings.putIfAbsent(id(2), after(2));
        assertThat(endings.next(after(9))).isEqualTo(id(2));
        assertThat(endings.next(after(9))).isNull();
        assertThat(endings.next(after(10))).isEqualTo(id(1));
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
        FixedEnd end = new FixedEnd();
        end.asked(1, lease(10));
        endings.follow(id(1), end);
        assertThat(endings.next(after(99))).as("it has no end yet").isNull();
        end.made(1, lease(10));
        end.asked(2, lease(5));
        endings.follow(id(1), end);
        assertThat(endings.next(after(9))).as("the one before may stay").isNull();
        end.asked(3, lease(20));
        endings.follow(id(1), end);
        assertThat(endings.next(after(19))).isNull();
        end.made(3, lease(15));
        endings.follow(id(1), end);
        assertThat(endings.next(after(15))).isEqualTo(id(1));
    }
}
