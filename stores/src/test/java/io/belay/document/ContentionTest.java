package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What refused writes of a document are taken for: of one that others change, or that somebody keeps locked. */
class ContentionTest {
    private static final long JUST_NOW = 1_000;
    private static final long LONG_AGO = 3_600_000_000L;

    private final AtomicLong now = new AtomicLong();
    private final Contention contention = new Contention(now::get);

    private void pass(long millis) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void refused(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(contention.refused()).isTrue();
        }
    }

    @Test
    void whatNobodyIsSeenToChangeGoesApartBeforeItIsReserved() {
        contention.read(7, LONG_AGO);
        refused(10);
        assertThat(contention.isToReserve(true, true)).isFalse();
        pass(100);
        assertThat(contention.isToGoApart()).isFalse();
        pass(1);
        assertThat(contention.isToGoApart()).isTrue();
        contention.goApart();
        assertThat(contention.isToGoApart()).isFalse();
        assertThat(contention.isToReserve(true, true)).isTrue();
    }

    @Test
    void whatOthersChangeIsReservedAndComesBackFromApart() {
        contention.goApart();
        contention.read(7, JUST_NOW);
        refused(1);
        assertThat(contention.isApart()).isFalse();
        assertThat(contention.isToGoApart()).isFalse();
        assertThat(contention.isToReserve(true, false)).isFalse();
        assertThat(contention.isToReserve(true, true)).as("far away").isTrue();
        refused(1);
        assertThat(contention.isToReserve(true, false)).isTrue();
        assertThat(contention.isToReserve(false, false))
                .as("nobody waits for it")
                .isFalse();
        refused(2);
        pass(999);
        assertThat(contention.isToReserve(false, false)).isTrue();
        pass(1);
        assertThat(contention.isToReserve(false, false))
                .as("the change was a second ago")
                .isFalse();
    }

    /** Its last change may be older by the clock of a database that was put back, or by what a user edits by hand. */
    @Test
    void anotherVersionThanThatLastKnownIsAChange() {
        contention.read(7, LONG_AGO);
        contention.read(8, LONG_AGO);
        refused(10);
        assertThat(contention.isToReserve(true, true)).isTrue();
    }

    @Test
    void anOwnWriteIsNoChangeByOthers() {
        contention.written(7);
        contention.read(7, LONG_AGO);
        refused(10);
        pass(200);
        assertThat(contention.isToGoApart()).isTrue();
    }

    /** A write of another one may be under way: it is not seen yet, and over in a moment. */
    @Test
    void aRefusalOrTwoSendNothingApart() {
        contention.read(7, LONG_AGO);
        refused(2);
        pass(200);
        assertThat(contention.isToGoApart()).isFalse();
    }

    /** Else it would be done with others again, and keep these waiting. */
    @Test
    void whatCanOnlyBeReadStaysApart() {
        contention.goApart();
        contention.read(7, LONG_AGO);
        contention.over();
        assertThat(contention.isApart()).isTrue();
        contention.written(8);
        assertThat(contention.isApart()).isFalse();
    }

    @Test
    void aReservationCountsUntilAWrite() {
        contention.reserved(-7);
        assertThat(contention.isReservedBy(-7)).isTrue();
        contention.over();
        assertThat(contention.isReservedBy(-7)).as("the next write lifts it").isTrue();
        contention.written(8);
        assertThat(contention.isReservedBy(-7)).isFalse();
        assertThat(contention.isReservedBy(0)).isFalse();
    }

    @Test
    void aHundredRefusalsAreAFailure() {
        refused(Contention.ATTEMPTS - 1);
        assertThat(contention.refused()).isFalse();
    }
}
