package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.List;

/**
 * A check that what the store keeps of a lock stays small: a kilobyte, 256 bytes for each claim, and for a minute
 * 32 for each enter that a client gave up unheard. That is at most one of each client, and one more with each time
 * that something was done to the store.
 */
public final class RecordSizes implements Check {
    private static final int BYTES_OF_RECORD = 1024;
    private static final int BYTES_OF_CLAIM = 256;
    private static final int BYTES_OF_ENTER = 32;

    private final int clients;

    /** Creates a check for so many clients. */
    public RecordSizes(int clients) {
        this.clients = clients;
    }

    @Override
    public List<Violation> of(History history) {
        long times = 1 + history.count(Type.STRIKE);
        long base = BYTES_OF_RECORD + BYTES_OF_ENTER * clients * times;
        return history.events(Type.RECORD).stream()
                .filter(event -> event.value() > base + (long) BYTES_OF_CLAIM * event.weight())
                .map(event -> new Violation(
                        Rule.BIG,
                        event.name(),
                        event.nanos(),
                        event.nanos(),
                        "its record has " + event.value() + " bytes with " + event.weight() + " claims"))
                .toList();
    }
}
