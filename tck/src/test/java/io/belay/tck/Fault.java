package io.belay.tck;

import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;

/** What a store makes of a request: what the reference model says, or something else. */
interface Fault {
    Fault NONE = (request, before, now) -> request.applyTo(before, now);

    /** Runs a request on the resource as it was, at that time. */
    Step run(Request request, Resource before, long now);

    /** Whether renewals of a chunk fail together. */
    default boolean failsTogether() {
        return false;
    }

    /** Whether a look at a resource takes long, as on a busy machine: an excuse, where that is one. */
    default boolean looksLate() {
        return false;
    }

    /** What a store that is opened now makes of requests. */
    default Fault opened() {
        return this;
    }

    /** The name under which a resource is kept. */
    default String name(String name) {
        return name;
    }
}
