package io.belay.internal.gate;

import io.belay.Deadlock;
import io.belay.StoreMisconfiguredException;
import io.belay.internal.claim.Engine;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The deadlocks of a whole store, for those who ask: read twice, as one reading is made of several moments. */
public final class StandingRings {
    private static final Log LOG = Log.of(LogName.WAITS);

    /** The time between two readings, in nanoseconds. */
    private static final long BETWEEN = 500_000_000;

    private StandingRings() {}

    /** Reads the locks of those names, twice where there is a ring, and waits for the answers. */
    public static List<Deadlock> of(Gates gates, Stream<String> names, String prefix) {
        Engine engine = gates.engine;
        Set<String> all = names.map(prefix::concat).collect(Collectors.toSet());
        List<List<Rings.Link>> first = Rings.all(read(engine, all));
        if (first.isEmpty()) {
            return List.of();
        }
        var unused = engine.await(new CompletableFuture<>(), BETWEEN);
        Set<String> again =
                first.stream().flatMap(List::stream).map(Rings.Link::lock).collect(Collectors.toSet());
        Set<Set<Rings.Seen>> before = first.stream().map(Rings::seen).collect(Collectors.toSet());
        return Rings.all(read(engine, again)).stream()
                .filter(ring -> before.contains(Rings.seen(ring)))
                .<Deadlock>map(ring -> Ring.of(ring, engine.number()))
                .toList();
    }

    /**
     * Reads those locks, and whatever those who hold them wait for. What stands under one name and cannot be read, as another program
     * or a newer Belay has written it, is told to the log and passed over, unless that is all.
     */
    private static Map<String, List<Rings.Link>> read(Engine engine, Set<String> names) {
        RingWalk walk = new RingWalk(engine, names, Integer.MAX_VALUE);
        StoreMisconfiguredException unread = null;
        boolean known = false;
        for (String next = walk.open.poll(); next != null; next = walk.open.poll()) {
            String name = next;
            try {
                walk.take(name, engine.await(() -> engine.inspect(name), "Inspecting the lock '" + name + "'"));
                known = true;
            } catch (StoreMisconfiguredException e) {
                unread = e;
            }
        }
        if (unread != null && !known) {
            throw unread;
        } else if (unread != null) {
            LOG.warn("Not all deadlocks may be known: {}", unread.getMessage());
        }
        return walk.holders();
    }
}
