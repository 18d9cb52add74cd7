package io.belay.trials.check;

import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The times in which the store or the network was struck, and for how long a strike tells afterwards. */
final class StrikeTimes {
    private final NavigableMap<Long, Long> spans = new TreeMap<>();

    /** Finds the strikes of these names; one whose end is not told lasts for ever. */
    StrikeTimes(History history, Predicate<String> names, long after) {
        int struck = 0;
        long since = 0;
        for (Event event : history.events(Type.STRIKE, Type.CALM)) {
            if (!names.test(event.name())) {
                continue;
            }
            if (event.type() == Type.STRIKE) {
                since = struck == 0 ? event.nanos() : since;
                // Until it is known better.
                spans.put(since, Long.MAX_VALUE);
                struck++;
            } else {
                struck = Math.max(0, struck - 1);
                if (struck == 0) {
                    spans.put(since, event.nanos() + after);
                }
            }
        }
    }

    /** Returns whether there was a strike in that time, or a while before. */
    boolean touch(long from, long to) {
        return touch(spans, from, to);
    }

    static boolean touch(NavigableMap<Long, Long> spans, long from, long to) {
        Map.Entry<Long, Long> last = spans.floorEntry(to);
        return last != null && last.getValue() >= from;
    }
}
