package io.belay.internal.jfr;

import java.util.function.Supplier;
import jdk.jfr.Event;
import jdk.jfr.Label;
import org.jspecify.annotations.Nullable;

/** The fields of an event about one lock that begins and ends. */
abstract class LockEvent extends Event implements Recorder.Begun {
    @Label("Lock")
    @Nullable
    String lock;

    @Label("Token")
    long token;

    @Label("Outcome")
    @Nullable
    String outcome;

    /** Begins an event; null if nobody records those of its kind. */
    static Recorder.@Nullable Begun begun(LockEvent any, Supplier<LockEvent> maker) {
        if (!any.isEnabled()) {
            return null;
        }
        LockEvent event = maker.get();
        event.begin();
        return event;
    }

    @Override
    public final void end(String itsLock, String holder, long itsToken, String itsOutcome) {
        end();
        if (shouldCommit()) {
            lock = itsLock;
            token = itsToken;
            outcome = itsOutcome;
            show(holder);
            commit();
        }
    }

    /** Takes the thread that acquired the lock, or is to have it. */
    void show(String holder) {}
}
