package io.belay.trials.client;

import io.belay.trials.history.Event.Type;
import io.belay.trials.library.Ask;
import io.belay.trials.library.Grant;
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

    /** Asks the library whether it is held. */
    void look() {
        long now = System.nanoTime();
        // The time first: what is left is never longer than it was then.
        if (grant().isHeld()) {
            add(Type.HELD, now, until(now, grant().remainingNanos()));
        } else {
            add(Type.NOT_HELD, now, 0);
        }
    }

    void release() {
        add(Type.RELEASE, System.nanoTime(), 0);
        Type outcome;
        try {
            outcome = switch (grant().release()) {
                case RELEASED -> Type.RELEASED;
                case LATE -> Type.RELEASED_LATE;
                case UNKNOWN -> Type.RELEASE_UNKNOWN;
            };
        } catch (RuntimeException e) {
            outcome = Type.RELEASE_UNKNOWN;
        }
        add(outcome, System.nanoTime(), 0);
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
