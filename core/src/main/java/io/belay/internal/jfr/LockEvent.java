package io.belay.internal.jfr;

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
