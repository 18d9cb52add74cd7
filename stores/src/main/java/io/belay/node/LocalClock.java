package io.belay.node;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.Owner;
import io.belay.support.Moment;

/**
 * The store's time where the service has no clock: that of this process. A client's deadlines are differences of it, so
 * each client may have its own. It begins with the wall clock's time, as others are shown since when somebody has a lock,
 * and goes on by itself, as a wall clock may jump.
 */
final class LocalClock {
    /** The least time by which this clock and the wall clock count as apart, in microseconds. */
    private static final long APART = 1_000_000;

    private final long begun = System.currentTimeMillis() * 1000;
    private final long origin = System.nanoTime();

    /** Returns the time at an instant. */
    long micros(Moment instant) {
        return micros(instant.nanos());
    }

    /** Does the same for an instant that is given as a {@link System#nanoTime()}. */
    long micros(long nanos) {
        return Math.max(0, begun + (nanos - origin) / 1000);
    }

    /**
     * Returns an owner with the time since when it has the lock by the wall clock of now, which is the one that others count by:
     * this one stands still while the machine is suspended.
     */
    Owner shown(Owner owner, Moment now) {
        long ahead = now.nanos() / 1000 + now.wallOffset() * 1000 - micros(now);
        boolean same = owner.since() == 0 || Math.abs(ahead) < APART;
        return same ? owner : owner.withSince(Math.max(1, owner.since() + ahead));
    }

    Answer answer(Moment asked, State state) {
        return Answer.of(state, micros(asked));
    }

    Answer refused(Moment asked, String why) {
        return Answer.of(State.REFUSED, micros(asked)).withRefusal(why);
    }
}
