package io.belay.node;

import io.belay.spi.ClaimId;
import io.belay.support.Mutex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * When claims are to be looked at, each once, in that order: of very many none is touched before its time has come. All times are
 * those of {@link System#nanoTime()}. Thread-safe.
 */
final class Endings {
    private final Mutex lock = new Mutex();
    private final Map<ClaimId, Ending> known = new HashMap<>();
    private final TreeSet<Ending> order = new TreeSet<>();

    private record Ending(long at, ClaimId id) implements Comparable<Ending> {
        @Override
        public int compareTo(Ending other) {
            int order = Long.signum(at - other.at);
            return order == 0 ? Long.compare(id.number(), other.id.number()) : order;
        }
    }

    /** Has a claim looked at then, unless that is to be sooner anyway. */
    void add(ClaimId id, long at) {
        try (var held = lock.hold()) {
            Ending before = known.get(id);
            if (before == null || at - before.at < 0) {
                remove(id);
                Ending ending = new Ending(at, id);
                known.put(id, ending);
                order.add(ending);
            }
        }
    }

    void remove(ClaimId id) {
        try (var held = lock.hold()) {
            Ending ending = known.remove(id);
            if (ending != null) {
                order.remove(ending);
            }
        }
    }

    /** Takes out the claims whose time has come. */
    List<ClaimId> take(long now) {
        List<ClaimId> taken = new ArrayList<>(0);
        try (var held = lock.hold()) {
            while (!order.isEmpty() && order.first().at - now <= 0) {
                ClaimId id = order.first().id;
                taken.add(id);
                remove(id);
            }
        }
        return taken;
    }
}
