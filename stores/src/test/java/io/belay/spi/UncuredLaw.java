package io.belay.spi;

import io.belay.internal.Inside;
import io.belay.simulation.Switch;
import java.util.List;

/** What a store makes of requests where a cure is switched off: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredLaw {
    private UncuredLaw() {}

    public static List<Switch> describeEnds() {
        return List.of(Switch.result(Resource::describe, UncuredLaw::describeAndEnd));
    }

    public static List<Switch> permitsAreRefused() {
        return List.of(Switch.result(Resource::enter, UncuredLaw::refusePermits).around());
    }

    static Step refusePermits(Resource resource, Request.Enter request, long now) {
        boolean refuses = request.spec().ifFree() && request.spec().capacity() < Resource.WHOLE;
        return refuses
                ? Step.of(resource, Answer.of(Answer.State.BUSY, now), List.of(), List.of(), List.of())
                : Inside.asItIs("enter", () -> resource.enter(request, now));
    }

    static Step describeAndEnd(Resource resource, Request.Describe request, long now) {
        return Request.Leave.of(request.resource(), request.id(), false).applyTo(resource, now);
    }
}
