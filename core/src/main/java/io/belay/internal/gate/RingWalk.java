package io.belay.internal.gate;

import io.belay.internal.claim.Engine;
import io.belay.spi.Claim;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One reading of those who wait for each other: from lock to lock, as the notes of their holders lead. For one call. */
final class RingWalk {
    /** The most locks that one reading goes through. */
    static final int MOST = 64;

    /**
     * A lock as it was read.
     *
     * @param links those who hold it and have noted that they wait
     * @param enough how many of them it takes: all who hold it, if they hold permits, as any of those may come free
     * @param clients those that hold it or wait for it; empty if the store does not tell
     */
    private record Read(List<Rings.Link> links, int enough, Set<Long> clients) {}

    private final Map<String, Read> locks = new LinkedHashMap<>();
    /** The locks to read. */
    final Queue<String> open;

    private final Set<String> known;
    private final int most;
    /** Whether the store keeps those who wait beside those who hold. */
    private final boolean isQueue;

    RingWalk(Engine engine, Collection<String> names, int most) {
        open = new ArrayDeque<>(names);
        known = new HashSet<>(names);
        this.most = most;
        isQueue = engine.capabilities().sharing();
    }

    /** Reads what is open, and gives what it has found; nothing if the store did not tell. Does not block. */
    void go(Engine engine, Consumer<Map<String, List<Rings.Link>>> then) {
        String lock = open.poll();
        if (lock == null || engine.isDown()) {
            then.accept(holders());
            return;
        }
        engine.inspect(lock).whenComplete((seen, error) -> {
            if (error != null) {
                then.accept(Map.of());
            } else {
                take(lock, seen);
                go(engine, then);
            }
        });
    }

    /** Takes what was read of a lock. */
    void take(String lock, Store.Snapshot seen) {
        Resource resource = seen.resource().orElse(Resource.UNUSED);
        boolean permits = resource.capacity() < Resource.WHOLE;
        Predicate<Claim> stands = claim -> claim.deadline() > seen.time();
        List<Claim> holders = resource.holders().stream().filter(stands).toList();
        List<Rings.Link> links = holders.stream()
                .flatMap(claim -> WaitNote.of(claim.owner())
                        .map(note -> new Rings.Link(
                                lock, claim.id(), claim.sequence(), permits, claim.owner(), note, seen.time()))
                        .stream())
                .toList();
        Set<Long> clients = resource.claims().stream()
                .filter(stands)
                .map(claim -> claim.id().client())
                .collect(Collectors.toSet());
        locks.put(lock, new Read(links, permits ? holders.size() : 0, isQueue ? clients : Set.of()));
        for (Rings.Link link : links) {
            String further = link.note().waitsFor();
            if (known.size() < most && known.add(further)) {
                open.add(further);
            }
        }
    }

    /** Returns those who hold a lock and wait, by the lock. */
    Map<String, List<Rings.Link>> holders() {
        Map<String, List<Rings.Link>> holders = new HashMap<>();
        locks.forEach((lock, read) -> {
            List<Rings.Link> waiting =
                    read.links().stream().filter(this::isThere).toList();
            holders.put(lock, waiting.size() < read.enough() ? List.of() : waiting);
        });
        return holders;
    }

    /** Returns whether its client is where it says that it waits: a note may outlive a wait whose end is not told yet. */
    private boolean isThere(Rings.Link link) {
        Read read = locks.get(link.note().waitsFor());
        return read == null
                || read.clients().isEmpty()
                || read.clients().contains(link.claim().client());
    }
}
