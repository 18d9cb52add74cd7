package io.belay.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A hold of a lock; recorded by the thread that ends it. */
@Name("belay.Hold")
@Label("Lock Hold")
@Category("Belay")
@Description("A distributed lock was held")
@Threshold("10 ms")
@StackTrace(false)
final class HoldEvent extends LockEvent {
    private static final HoldEvent ANY = new HoldEvent();

    @Label("Holder")
    @Description("The thread that acquired the lock")
    @Nullable
    String holder;

    static Recorder.@Nullable Begun start() {
        return begun(ANY, HoldEvent::new);
    }

    @Override
    void show(String itsHolder) {
        holder = itsHolder;
    }
}
