package io.belay.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A time in which the store failed; recorded when it begins, with no length, and when it is over. */
@Name("belay.StoreOutage")
@Label("Store Outage")
@Category("Belay")
@Description("The store of a client failed")
final class StoreOutageEvent extends Event {
    @Label("Reason")
    private @Nullable String reason;

    @Label("Length")
    @Timespan
    long length;

    static void record(String why, long nanos) {
        StoreOutageEvent event = new StoreOutageEvent();
        event.reason = why;
        event.length = nanos;
        event.commit();
    }
}
