package io.belay.node;

import io.belay.support.Moment;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * When something ends at a service, as its client counts it: never later than it ends there, also if this machine is
 * suspended meanwhile, where {@link System#nanoTime()} stands still.
 *
 * @param asked an instant before the service began to count, or counted anew
 * @param end the end, as a {@link System#nanoTime()}, if the machine is not suspended before
 */
public record Deadline(Moment asked, long end) {
    public Deadline {
        Objects.requireNonNull(asked, "asked");
    }

    /** Returns the end of what lasts for so many nanoseconds, counted from an instant before it was asked for. */
    public static Deadline of(Moment asked, long nanos) {
        Objects.requireNonNull(asked, "asked");
        return new Deadline(asked, asked.nanos() + nanos);
    }

    /** Returns the end of what is over now, or may be: whoever asks for something takes it before, for what that is to last from there. */
    public static Deadline over() {
        return of(Moment.now(), 0);
    }

    /** Returns the end that is so many nanoseconds later. */
    public Deadline plus(long nanos) {
        return new Deadline(asked, end + nanos);
    }

    /**
     * Returns the end as a {@link System#nanoTime()}, nearer by as much as the machine was suspended since it was asked for
     * and until an instant, if that is later.
     */
    public long at(Moment instant) {
        Objects.requireNonNull(instant, "instant");
        boolean isLater = instant.nanos() - asked.nanos() > 0;
        return end - TimeUnit.MILLISECONDS.toNanos(isLater ? asked.asleepUntil(instant) : 0);
    }

    /** Does the same for the present instant. */
    public long byNow() {
        return at(Moment.now());
    }
}
