package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.time.Duration;
import java.util.List;

/**
 * A check that no claim is left when all clients are gone and a lease has passed; and that what the store
 * remembers of a lock ends within two minutes and a lease: the minute that is promised, and one in which it need
 * not be written anew.
 */
public final class LeftBehind implements Check {
    private static final Duration MEMORY = Duration.ofMinutes(2);

    private final long longest;

    /** Creates a check of locks with this lease. */
    public LeftBehind(Duration lease) {
        longest = MEMORY.plus(lease).toMillis();
    }

    @Override
    public List<Violation> of(History history) {
        return history.events(Type.LEFT).stream()
                .filter(event -> event.weight() > 0 || event.value() < 0 || event.value() > longest)
                .map(event -> new Violation(
                        Rule.LEFT_BEHIND, event.name(), event.nanos(), event.nanos(), "the store has " + what(event)))
                .toList();
    }

    private static String what(Event event) {
        if (event.weight() > 0) {
            return event.weight() + " of its claims";
        }
        return "its record " + (event.value() < 0 ? "for ever" : "for another " + event.value() + " ms");
    }
}
