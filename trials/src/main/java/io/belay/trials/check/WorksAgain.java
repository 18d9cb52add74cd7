package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A check that a client whose connections had become half-open has its turns again once it must work again: that others do not
 * have a lock four times for each thread that there is while one of its threads waits for it. Clients take turns, so others have it
 * about once for each thread, or twice where readers share it, however long that takes. That nobody waits for ever is judged at the
 * end.
 */
public final class WorksAgain implements Check {
    private static final String STRIKE = "half-open-of-";
    private static final int TIMES = 4;

    /** A wait, and how often others had the lock since it began, or since its client must work again. */
    private static final class Wait {
        private final Event ask;
        private long since;
        private int passed;

        Wait(Event ask) {
            this.ask = ask;
            since = ask.nanos();
        }

        String client() {
            return ask.process().substring(0, ask.process().indexOf('.'));
        }
    }

    @Override
    public List<Violation> of(History history) {
        long threads = history.events(Type.ASK).stream()
                .map(ask -> ask.process() + "/" + ask.thread())
                .distinct()
                .count();
        List<Violation> violations = new ArrayList<>();
        Map<String, Wait> waits = new HashMap<>();
        Set<String> struck = new HashSet<>();
        for (Event event : history.events()) {
            String hold = event.process() + "/" + event.hold();
            switch (event.type()) {
                case ASK -> waits.put(hold, new Wait(event));
                case REFUSED, UNKNOWN -> waits.remove(hold);
                case GRANTED -> {
                    waits.remove(hold);
                    waits.values().stream()
                            .filter(wait -> wait.ask.name().equals(event.name()) && !struck.contains(wait.client()))
                            .filter(wait -> ++wait.passed == TIMES * threads)
                            .forEach(wait -> violations.add(violation(wait, event)));
                }
                case STRIKE, CALM -> strike(event, waits, struck);
                default -> {}
            }
        }
        return violations;
    }

    private static void strike(Event event, Map<String, Wait> waits, Set<String> struck) {
        if (!event.name().startsWith(STRIKE)) {
            return;
        }
        String client = event.name().substring(STRIKE.length());
        if (event.type() == Type.STRIKE) {
            struck.add(client);
        } else {
            struck.remove(client);
        }
        waits.values().stream().filter(wait -> wait.client().equals(client)).forEach(wait -> {
            wait.since = event.nanos();
            wait.passed = 0;
        });
    }

    private static Violation violation(Wait wait, Event last) {
        Event ask = wait.ask;
        return new Violation(
                Rule.UNSERVED,
                ask.name(),
                wait.since,
                last.nanos(),
                "process " + ask.process() + " thread " + ask.thread() + " waited, and others had it " + wait.passed
                        + " times in "
                        + Duration.ofNanos(last.nanos() - wait.since).toMillis() + " ms");
    }
}
