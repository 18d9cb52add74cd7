package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.support.Moment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a version below zero says. */
class ReservationTest {
    private static final long NOW = 1_800_000_000_000_123L;
    private static final ClaimId ID = ClaimId.of(1, 1);

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

    /** Whoever has a lease that may end before the other client has written does not step back, whatever is asked. */
    @Test
    void aLeaseDoesNotEndForTheSakeOfOthers() {
        assertThat(stepsBack(30_000_000, 300_000)).isTrue();
        assertThat(stepsBack(70_000, 20_000)).isTrue();
        assertThat(stepsBack(70_000, 230_000)).isFalse();
        assertThat(stepsBack(70_000, 230_000, Request.Reweight.of("x", ID, 1, 0, 1)))
                .as("what is to be renewed meanwhile would wait as well")
                .isFalse();
    }

    private static boolean stepsBack(long leaseLeft, long reserved) {
        return stepsBack(leaseLeft, reserved, Request.Renew.of("x", ID, NOW, leaseLeft, 0, false));
    }

    private static boolean stepsBack(long leaseLeft, long reserved, Request asked) {
        ClaimSpec spec = ClaimSpec.whole(leaseLeft);
        Resource held = Request.Enter.of("x", ID, spec, 0, Owner.of("client", "host", 1, "thread"))
                .applyTo(Resource.UNUSED, NOW)
                .next();
        byte[] state = States.encode(new States.State(held, 0));
        ResourceUpdate update = new ResourceUpdate(
                new ResourceQueue("x", 1), List.of(new Operation.Ask(asked, new CompletableFuture<>())));
        update.run(new Documents.Found(Reservation.until(NOW + reserved), state), NOW, Moment.now(), 1);
        return update.reservedByOthers() > 0;
    }

    /** Else all others would wait until it is over. */
    @Test
    void whoeverHasReservedEndsItByAWriteThoughThereIsNothingToChange() {
        long reserved = Reservation.until(NOW + 300_000);
        assertThat(changes(reserved, reserved)).isTrue();
        assertThat(changes(reserved, 0)).as("another client's").isFalse();
    }

    private static boolean changes(long version, long reserved) {
        ResourceQueue queue = new ResourceQueue("x", 1);
        queue.contention.reserved(reserved);
        ResourceUpdate update = new ResourceUpdate(queue, List.of(new Operation.Inspect(new CompletableFuture<>())));
        byte[] state = States.encode(new States.State(Resource.UNUSED, 0));
        update.run(new Documents.Found(version, state), NOW, Moment.now(), 1);
        return update.isChange();
    }

    @Test
    void twoOfOneInstantDiffer() {
        assertThat(IntStream.range(0, 20).mapToObj(i -> Reservation.until(NOW)).distinct())
                .hasSizeGreaterThan(15);
    }
}
