package io.belay.trials.check;

import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The times in which processes stood still, or the store or the network was struck, and a lease after a strike. */
final class Standstills {
    /** The part of a lease, 1 in so many, that counts as a standstill: a place is lost in no less than 2 in 3. */
    private static final int SHARE_OF_LEASE = 4;

    /** The ends of standstills by their beginnings; those of one process do not overlap. */
    private final Map<String, NavigableMap<Long, Long>> byProcess = new HashMap<>();

    private final StrikeTimes strikes;

    Standstills(History history, Duration lease) {
        for (Event event : history.events(Type.STALL)) {
            if (event.nanos() - event.value() > lease.toNanos() / SHARE_OF_LEASE) {
                byProcess
                        .computeIfAbsent(event.process(), process -> new TreeMap<>())
                        .put(event.value(), event.nanos());
            }
        }
        strikes = new StrikeTimes(history, name -> true, lease.toNanos());
    }

    /** Returns whether there was a standstill of this process, or a strike, in that time. */
    boolean touch(String process, long from, long to) {
        return strikes.touch(from, to) || StrikeTimes.touch(byProcess.getOrDefault(process, new TreeMap<>()), from, to);
    }
}
