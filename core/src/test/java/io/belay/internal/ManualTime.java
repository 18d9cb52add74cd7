package io.belay.internal;

import io.belay.internal.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Clocks that stand still until a test moves them. */
public final class ManualTime implements Time {
    /** What happens once, when the clock is looked at next. */
    @Nullable
    Runnable atNextLook;

    private long nanos = 1_000_000_000L;
    private long wallMillis = 1_700_000_000_000L;
    /** How long the machine was suspended while the store's was not. */
    private long missed;

    @Override
    public long nanos() {
        Runnable once = atNextLook;
        atNextLook = null;
        if (once != null) {
            once.run();
        }
        return read();
    }

    private synchronized long read() {
        return nanos;
    }

    @Override
    public synchronized long wallMillis() {
        return wallMillis;
    }

    public synchronized void advanceTo(long instant) {
        wallMillis += (instant - nanos) / 1_000_000;
        nanos = instant;
    }

    /** The machine was suspended: only the wall clock went on. */
    synchronized void suspend(Duration duration) {
        wallMillis += duration.toMillis();
    }

    /** The client's machine was suspended while the store's went on. */
    synchronized void suspendAlone(Duration duration) {
        suspend(duration);
        missed += duration.toNanos();
    }

    /** The store's clock, in microseconds. */
    synchronized long micros() {
        return 1_700_000_000_000_000L + (nanos + missed) / 1000;
    }
}
