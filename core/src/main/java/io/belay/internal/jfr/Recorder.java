package io.belay.internal.jfr;

import io.belay.LeaseLostException;
import org.jspecify.annotations.Nullable;

/**
 * The recording of waits, holds, losses and outages by Java Flight Recorder. A runtime without the module {@code jdk.jfr}
 * records nothing; while nobody records, an event is not even made.
 */
public final class Recorder {
    private static final boolean THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private Recorder() {}

    /** An event that has begun. */
    public interface Begun {
        /** Ends the event, which is recorded if it took long enough. */
        void end(String lock, String thread, long token, String outcome);
    }

    /** Begins a wait; null if nobody records any. */
    public static @Nullable Begun beginWait() {
        return THERE ? WaitEvent.start() : null;
    }

    /** Begins a hold; null if nobody records any. */
    public static @Nullable Begun beginHold() {
        return THERE ? HoldEvent.start() : null;
    }

    public static void lost(LeaseLostException loss) {
        if (THERE) {
            LostEvent.record(loss);
        }
    }

    /** Records that the store failed for so many nanoseconds. */
    public static void outage(String reason, long nanos) {
        if (THERE) {
            StoreOutageEvent.record(reason, nanos);
        }
    }
}
