package io.belay.internal.jfr;

import io.belay.LeaseLostException;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The loss of a lease. */
@Name("belay.Lost")
@Label("Lease Lost")
@Category("Belay")
@Description("A lease that somebody relied on was lost")
final class LostEvent extends Event {
    @Label("Lock")
    private @Nullable String lock;

    @Label("Token")
    long token;

    @Label("Reason")
    private @Nullable String reason;

    @Label("Forced By")
    private @Nullable String forcedBy;

    @Label("Held")
    @Timespan
    long held;

    static void record(LeaseLostException loss) {
        LostEvent event = new LostEvent();
        event.lock = loss.name();
        event.token = loss.token();
        event.reason = loss.reason().orElseThrow().name();
        event.forcedBy = loss.forcedBy().orElse(null);
        event.held = loss.held().toNanos();
        event.commit();
    }
}
