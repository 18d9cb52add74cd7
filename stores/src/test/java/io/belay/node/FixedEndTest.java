package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.support.Moment;
import org.junit.jupiter.api.Test;

/** Which of the ends that were asked for counts. */
class FixedEndTest {
    private static final long SECOND = 1_000_000_000L;

    private final FixedEnd end = new FixedEnd();

    /** A copy counts its time from later on; by nanoTime, which stood still, it may end first. */
    @Test
    void ofTwoAttemptsTheOneBeforeASuspensionEndsFirst() {
        Deadline first = Deadline.of(new Moment(0, 0), 10 * SECOND + 1_000);
        Deadline copy = Deadline.of(new Moment(SECOND, 5_000), 9 * SECOND);
        end.asked(1, first);
        end.asked(1, copy);
        end.made(1, null);
        assertThat(end.lease()).isSameAs(first);
    }

    @Test
    void ofTwoAttemptsTheNearestEndCounts() {
        Deadline first = Deadline.of(new Moment(0, 0), 10 * SECOND);
        Deadline copy = Deadline.of(new Moment(SECOND, 0), 8 * SECOND);
        end.asked(1, first);
        end.asked(1, copy);
        end.made(1, null);
        assertThat(end.lease()).isSameAs(copy);
    }

    @Test
    void whatTheNodeHasSeenIsMade() {
        Deadline first = Deadline.of(new Moment(0, 0), 10 * SECOND);
        Deadline next = Deadline.of(new Moment(SECOND, 0), 2 * SECOND);
        end.asked(1, first);
        end.seen(0);
        assertThat(end.lease()).isNull();
        end.asked(2, next);
        end.seen(1);
        assertThat(end.lease()).as("nobody knows which is meant").isNull();
        end.seen(2);
        end.made(1, first);
        assertThat(end.lease()).isSameAs(next);
    }

    @Test
    void anEndThatMayBeMovedCountsWhereItIsLater() {
        end.asked(1, lease(10));
        assertThat(end.latest()).as("it has no end yet").isNull();
        end.made(1, lease(10));
        end.asked(2, lease(5));
        assertThat(end.latest()).as("the one before may stay").isEqualTo(lease(10));
        end.asked(3, lease(20));
        assertThat(end.latest()).isEqualTo(lease(20));
        end.made(3, lease(15));
        assertThat(end.latest()).isEqualTo(lease(15));
    }

    private static Deadline lease(long seconds) {
        return Deadline.of(new Moment(0, 0), seconds * SECOND);
    }
}
