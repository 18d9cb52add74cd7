package io.belay.internal.claim;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.internal.jfr.Recorder;
import io.belay.internal.machine.Failure;
import io.belay.internal.time.Callbacks;
import io.belay.internal.time.Time;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The rare events of a client: each is told to the user's listener, on the callback executor, and logged. Of one kind and
 * one lock a line is logged every ten seconds at most, and says how many were left out. Thread-safe.
 */
public final class Events {
    private static final Log LEASES = Log.of(LogName.LEASE);
    private static final Log WAITS = Log.of(LogName.WAITS);

    /** The time between two lines of one kind about one lock, in nanoseconds. */
    private static final long AGAIN = 10_000_000_000L;

    /** The most kinds and locks that are told apart at a time. */
    private static final int MOST = 1_000;

    private record Line(String kind, String lock) {}

    /** When a line was logged last, how many were left out since, and how many between that one and the one before. */
    private record Logged(long at, int leftOut, int before) {}

    private final Time time;
    private final Callbacks callbacks;
    private final Optional<BelayListener> listener;
    private final Map<Line, Logged> lines = new ConcurrentHashMap<>();
    private volatile long swept;

    Events(BelayOptions options, Time time, Callbacks callbacks) {
        this.time = time;
        this.callbacks = callbacks;
        listener = options.listener();
        swept = time.nanos();
    }

    /** Returns whether anybody would hear of an event of that kind about that lock now. */
    public boolean isHeard(String kind, String lock) {
        Logged last = lines.get(new Line(kind, lock));
        return listener.isPresent() || last == null || time.nanos() - last.at() >= AGAIN;
    }

    /** Tells the listener, if there is one. */
    public void tell(Consumer<BelayListener> event) {
        listener.ifPresent(told -> callbacks.run(() -> event.accept(told)));
    }

    /** Tells that a lease was lost. One that has ended as it was asked to is no such event. */
    public void lost(LeaseLostException loss) {
        if (loss.reason().orElseThrow() != LossReason.ENDED) {
            Recorder.lost(loss);
            warn("lost", loss.name(), String.valueOf(loss.getMessage()));
            tell(to -> to.lost(loss));
        }
    }

    /** Tells that the store refused a claim. */
    public void refused(String name, String reason) {
        warn(WAITS, "refused", name, Failure.refused(name, reason).text());
        tell(to -> to.refused(name, reason));
    }

    /** Tells that a wait is slow. */
    public void slow(String kind, String lock, String text) {
        warn(WAITS, kind, lock, text);
    }

    /** Logs a line about a lease, unless one of that kind was logged for that lock a moment ago. */
    public void warn(String kind, String lock, String text) {
        warn(LEASES, kind, lock, text);
    }

    /** Does the same under the name of another log; returns whether the line was logged. */
    boolean warn(Log log, String kind, String lock, String text) {
        long now = time.nanos();
        if (lines.size() >= MOST && now - swept >= AGAIN / 10) { // for each line it would take too long
            swept = now;
            lines.values().removeIf(logged -> now - logged.at() >= AGAIN);
        }
        Logged logged = lines.compute(
                new Line(kind, lines.size() < MOST ? lock : ""),
                (key, last) -> last != null && now - last.at() < AGAIN
                        ? new Logged(last.at(), last.leftOut() + 1, 0)
                        : new Logged(now, 0, last == null ? 0 : last.leftOut()));
        if (logged.leftOut() > 0) {
            return false;
        }
        if (logged.before() == 0) {
            log.warn("{}", text);
        } else {
            log.warn("{} (and {} more like this since the last such line)", text, logged.before());
        }
        return true;
    }
}
