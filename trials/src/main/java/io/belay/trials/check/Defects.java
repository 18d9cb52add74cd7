package io.belay.trials.check;

import io.belay.ClientClosedException;
import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A check that nothing is thrown but what is documented. */
public final class Defects implements Check {
    /** What a waiter that does not proceed is told at the end, when its client is closed; it is told of already. */
    private static final String CLOSED = ClientClosedException.class.getName();

    private final boolean storeForgets;

    /** Creates a check; {@code storeForgets} is whether the store may forget a grant. */
    public Defects(boolean storeForgets) {
        this.storeForgets = storeForgets;
    }

    @Override
    public List<Violation> of(History history) {
        Set<String> stuck =
                history.events(Type.STUCK).stream().map(Defects::thread).collect(Collectors.toSet());
        return history.events(Type.DEFECT, Type.WENT_BACK).stream()
                // A store that forgets may well grant a lower token, which a client refuses that has seen the higher
                // one.
                .filter(event -> !storeForgets || event.type() != Type.WENT_BACK)
                .filter(event -> !stuck.contains(thread(event)) || !event.name().equals(CLOSED))
                .map(event -> new Violation(
                        Rule.DEFECT,
                        event.name(),
                        event.nanos(),
                        event.nanos(),
                        thread(event) + ", see " + event.process() + ".log"))
                .toList();
    }

    private static String thread(Event event) {
        return "process " + event.process() + " thread " + event.thread();
    }
}
