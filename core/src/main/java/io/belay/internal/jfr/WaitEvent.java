package io.belay.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A thread's wait for a lock; recorded by that thread. */
@Name("belay.Wait")
@Label("Lock Wait")
@Category("Belay")
@Description("A thread waited for a distributed lock")
@Threshold("10 ms")
@StackTrace(false)
final class WaitEvent extends LockEvent {
    private static final WaitEvent ANY = new WaitEvent();

    static Recorder.@Nullable Begun start() {
        return begun(ANY, WaitEvent::new);
    }
}
