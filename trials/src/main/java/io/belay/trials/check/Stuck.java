package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.List;

/** A check that every waiter proceeds, at the latest when nothing goes wrong any more. */
public final class Stuck implements Check {
    @Override
    public List<Violation> of(History history) {
        return history.events(Type.STUCK).stream()
                .map(event -> new Violation(
                        Rule.STUCK,
                        event.name(),
                        event.nanos(),
                        event.nanos(),
                        "process " + event.process() + " thread " + event.thread()))
                .toList();
    }
}
