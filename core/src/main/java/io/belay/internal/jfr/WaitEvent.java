package io.belay.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A thread's wait for a lock. */
@Name("belay.Wait")
@Label("Lock Wait")
@Category("Belay")
@Description("A thread waited for a distributed lock")
@Threshold("10 ms")
@StackTrace(false)
final class WaitEvent extends Event implements Recorder.Begun {
    private static final WaitEvent ANY = new WaitEvent();

    @Label("Lock")
    @Nullable
    String lock;

    @Label("Token")
    long token;

    @Label("Outcome")
    @Nullable
    String outcome;

    static @Nullable WaitEvent start() {
        if (!ANY.isEnabled()) {
            return null;
        }
        WaitEvent event = new WaitEvent();
        event.begin();
        return event;
    }

    @Override
    public void end(String itsLock, String thread, long itsToken, String itsOutcome) {
        end();
        if (shouldCommit()) {
            lock = itsLock;
            token = itsToken;
            outcome = itsOutcome;
            commit();
        }
    }
}
