package io.belay.trials.client;

import io.belay.LeaseLostException;
import io.belay.StoreUnavailableException;
import io.belay.trials.history.Drift;
import io.belay.trials.history.Event.Type;
import io.belay.trials.library.Ask;
import io.belay.trials.library.Grant;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A hold whose steps are written down. */
final class Holding {
    private final Recorder recorder;
    private final int thread;
    private final long id;
    private final Ask ask;
    private volatile long token = Grant.NO_TOKEN;
    private @Nullable Grant grant;

    Holding(Recorder recorder, int thread, long id, Ask ask) {
        this.recorder = recorder;
        this.thread = thread;
        this.id = id;
        this.ask = ask;
    }

    void granted(Grant given) {
        grant = given;
        token = given.token();
        long now = System.nanoTime();
        add(Type.GRANTED, now, until(now, given.remainingNanos()));
        given.onLost(() -> add(Type.LOST, System.nanoTime(), 0));
    }

    /** Asks the library whether it is held. What that throws is written down here, as an executor would keep it to itself. */
    void look() {
        long now = System.nanoTime();
        try {
            // The time first: what is left is never longer than it was then.
            if (grant().isHeld()) {
                add(Type.HELD, now, until(now, grant().remainingNanos()));
            } else {
                add(Type.NOT_HELD, now, 0);
            }
        } catch (RuntimeException | Error e) {
            recorder.defect(thread, e);
        }
    }

    /** Moves the end to so long from now; where the store does not answer, an end that was to come later stays. */
    void extend(Duration duration) {
        long now = System.nanoTime();
        boolean earlier = duration.toNanos() < grant().remainingNanos();
        if (earlier) {
            // The library takes off the margin for clocks, and lets go when that is over.
            add(Type.MOVED, now, now + Drift.without(duration.toNanos()));
        }
        try {
            grant().extend(duration);
        } catch (LeaseLostException e) {
            add(Type.NOT_HELD, System.nanoTime(), 0);
            return;
        } catch (StoreUnavailableException e) {
            return;
        }
        if (!earlier) {
            long answered = System.nanoTime();
            add(Type.MOVED, answered, until(answered, grant().remainingNanos()));
        }
    }

    void release() {
        add(Type.RELEASE, System.nanoTime(), 0);
        add(outcome(grant().release()), System.nanoTime(), 0);
    }

    /** Gives the lock back, and notes until when nobody may have it, if the library says that it was given back. */
    void releaseAfter(Duration delay) {
        long now = System.nanoTime();
        add(Type.RELEASE, now, 0);
        Type outcome = outcome(grant().releaseAfter(delay));
        add(outcome, System.nanoTime(), 0);
        if (outcome == Type.RELEASED) {
            add(Type.KEPT, System.nanoTime(), now + delay.toNanos());
        }
    }

    private static Type outcome(Grant.Outcome told) {
        return switch (told) {
            case RELEASED -> Type.RELEASED;
            case LATE -> Type.RELEASED_LATE;
            case UNKNOWN -> Type.RELEASE_UNKNOWN;
        };
    }

    boolean isRenewed() {
        return recorder.renews();
    }

    long token() {
        return token;
    }

    String name() {
        return ask.name();
    }

    Ask ask() {
        return ask;
    }

    void add(Type type, long nanos, long value) {
        recorder.add(thread, type, nanos, id, ask, token, value);
    }

    private static long until(long now, long remaining) {
        return remaining == Long.MAX_VALUE ? Long.MAX_VALUE : now + remaining;
    }

    Grant grant() {
        if (grant == null) {
            throw new IllegalStateException("not granted");
        }
        return grant;
    }
}
