package io.belay.internal.gate;

import io.belay.internal.claim.Engine;
import io.belay.spi.Claim;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/** One reading of those who wait for each other: from lock to lock, as the notes of their holders lead. For one call. */
final class RingWalk {
    /** The most locks that one reading goes through. */
    private static final int MOST = 64;

    private final Engine engine;
    private final Map<String, List<Rings.Link>> holders = new LinkedHashMap<>();
    private final Queue<String> open = new ArrayDeque<>();

    private RingWalk(Engine engine) {
        this.engine = engine;
    }

    /** Reads from that lock on, and gives what it has found; nothing if the store did not tell. Does not block. */
    static void from(Engine engine, String lock, Consumer<Map<String, List<Rings.Link>>> then) {
        RingWalk walk = new RingWalk(engine);
        walk.open.add(lock);
        walk.next(then);
    }

    private void next(Consumer<Map<String, List<Rings.Link>>> then) {
        String lock = open.poll();
        if (lock == null || engine.isDown()) {
            then.accept(holders);
            return;
        }
        engine.inspect(lock).whenComplete((seen, error) -> {
            if (error != null) {
                then.accept(Map.of());
                return;
            }
            List<Rings.Link> links = links(lock, seen);
            holders.put(lock, links);
            for (Rings.Link link : links) {
                String further = link.note().waitsFor();
                if (!holders.containsKey(further) && !open.contains(further) && holders.size() + open.size() < MOST) {
                    open.add(further);
                }
            }
            next(then);
        });
    }

    /** Returns who holds a lock and waits. Who waits for permits waits for any who hold some: all of them must wait. */
    static List<Rings.Link> links(String lock, Store.Snapshot seen) {
        Optional<Resource> resource = seen.resource();
        boolean permits = resource.map(it -> it.capacity() < Resource.WHOLE).orElse(false);
        Collection<Claim> holders = resource.map(Resource::holders).orElse(List.of());
        List<Rings.Link> links = new ArrayList<>();
        int all = 0;
        for (Claim claim : holders) {
            if (claim.deadline() > seen.time()) {
                all++;
                WaitNote.of(claim.owner())
                        .map(note -> new Rings.Link(
                                lock, claim.id(), claim.sequence(), permits, claim.owner(), note, seen.time()))
                        .ifPresent(links::add);
            }
        }
        return permits && links.size() < all ? List.of() : links;
    }
}
