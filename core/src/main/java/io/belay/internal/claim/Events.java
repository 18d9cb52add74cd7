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
import java.util.List;
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

    /** When a line was logged last, how many were left out since, and how many between that one and the one before. */
    private record Logged(long at, int leftOut, int before) {}

    private final Time time;
    private final Callbacks callbacks;
    private final Optional<BelayListener> listener;
    /** The lines by kind and lock; no record, whose hash would never be had again where the stack overflows as Java first makes it. */
    private final Map<List<String>, Logged> lines = new ConcurrentHashMap<>();

    private volatile long swept;

    Events(BelayOptions options, Time time, Callbacks callbacks) {
        this.time = time;
        this.callbacks = callbacks;
        listener = options.listener();
        swept = time.nanos();
    }

    /** Returns whether anybody would hear of an event of that kind about that lock now. */
    public boolean isHeard(String kind, String lock) {
        Logged last = lines.get(List.of(kind, lock));
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

    /** Does the same under the name of another log; returns whether the line was logged. Throws nothing: a step is to go on. */
    boolean warn(Log log, String kind, String lock, String text) {
        try {
            long now = time.nanos();
            if (lines.size() >= MOST && now - swept >= AGAIN / 10) { // for each line it would take too long
                swept = now;
                lines.values().removeIf(logged -> now - logged.at() >= AGAIN);
            }
            Logged logged = lines.compute(
                    List.of(kind, lines.size() < MOST ? lock : ""),
                    (key, last) -> last != null && now - last.at() < AGAIN
                            ? new Logged(last.at(), last.leftOut() + 1, 0)
                            : new Logged(now, 0, last == null ? 0 : last.leftOut()));
            if (logged.leftOut() == 0) {
                int before = logged.before();
                String more = before == 0 ? "" : " (and " + before + " more like this since the last such line)";
                log.warn("{}{}", text, more);
            }
            return logged.leftOut() == 0;
        } catch (Throwable e) { // as no memory is left, or no stack
            return false;
        }
    }
}
