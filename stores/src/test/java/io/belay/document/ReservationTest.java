package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a version below zero says. */
class ReservationTest {
    private static final long NOW = 1_800_000_000_000_123L;

    @Test
    void reservesUntilItsTimeIsOver() {
        long version = Reservation.until(NOW + 50_000);
        assertThat(version).isNegative();
        assertThat(Reservation.left(version, NOW)).isBetween(50_000_000L, 51_000_000L);
        assertThat(Reservation.left(version, NOW + 49_000)).isPositive();
        assertThat(Reservation.left(version, NOW + 51_000)).isZero();
        assertThat(Reservation.left(version, NOW + 1_000_000_000)).isZero();
    }

    /** Of a damaged document, or from before the database's clock was put back: it would stop everybody. */
    @Test
    void oneThatLiesFarInTheFutureIsNone() {
        assertThat(Reservation.left(Reservation.until(NOW + 990_000), NOW)).isPositive();
        assertThat(Reservation.left(Reservation.until(NOW + 1_100_000), NOW)).isZero();
        assertThat(Reservation.left(Reservation.until(NOW + 86_400_000_000L), NOW))
                .isZero();
        assertThat(Reservation.left(Long.MIN_VALUE, NOW)).isZero();
        assertThat(Reservation.left(Long.MIN_VALUE + 1, NOW)).isZero();
    }

    @Test
    void anotherOneIsPossibleOnceItIsOver() {
        long version = Reservation.until(NOW + 50_000);
        assertThat(version).isLessThanOrEqualTo(Reservation.over(NOW));
        assertThat(version).isLessThanOrEqualTo(Reservation.over(NOW + 49_000));
        assertThat(version).isGreaterThan(Reservation.over(NOW + 51_000));
    }

    @Test
    void noOtherVersionReserves() {
        assertThat(Reservation.left(1, NOW)).isZero();
        assertThat(Reservation.left(Long.MAX_VALUE, NOW)).isZero();
        assertThat(Reservation.left(0, NOW)).isZero();
    }

    @Test
    void twoOfOneInstantDiffer() {
        assertThat(IntStream.range(0, 20).mapToObj(i -> Reservation.until(NOW)).distinct())
                .hasSizeGreaterThan(15);
    }
}
