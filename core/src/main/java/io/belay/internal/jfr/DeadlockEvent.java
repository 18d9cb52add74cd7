package io.belay.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A deadlock that was found. */
@Name("belay.Deadlock")
@Label("Lock Deadlock")
@Category("Belay")
@Description("Threads wait for each other's distributed locks")
@StackTrace(false)
final class DeadlockEvent extends Event {
    @Label("Lock")
    private @Nullable String lock;

    @Label("Thread")
    private @Nullable String waiter;

    @Label("Ring")
    private @Nullable String ring;

    static void record(String lock, String waiter, String ring) {
        DeadlockEvent event = new DeadlockEvent();
        event.lock = lock;
        event.waiter = waiter;
        event.ring = ring;
        event.commit();
    }
}
