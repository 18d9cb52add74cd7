package io.belay.internal.gate;

import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rule by which deadlocks are found and broken: who waits for a lock waits for all who hold it. Those who wait before it need no
 * edge of their own, as they wait for the same holders. Pure: what was read goes in, rings come out.
 */
final class Rings {
    private Rings() {}

    /**
     * A claim that is held by one who waits.
     *
     * @param lock the lock that it holds
     * @param claim by which it holds it
     * @param sequence of that claim
     * @param permits whether it holds permits
     * @param owner what else is told of it
     * @param note what it waits for
     * @param time when that was read, in the store's microseconds
     */
    record Link(String lock, ClaimId claim, long sequence, boolean permits, Owner owner, WaitNote note, long time) {
        Caller caller() {
            return new Caller(claim.client(), note.number());
        }

        /** Returns what stays as it is for as long as the ring stands. */
        Seen seen() {
            return new Seen(lock, claim, sequence, note.number());
        }

        /** Returns the same without the wait, which is another one when its caller has given up and waits again. */
        Seen held() {
            return new Seen(lock, claim, sequence, 0);
        }
    }

    /** Somebody who waits. */
    record Caller(long client, long number) {}

    /** What of a link is compared from one reading to the next. */
    record Seen(String lock, ClaimId claim, long sequence, long number) {}

    /**
     * Returns the shortest ring that leads from a wait back to the one who waits: who holds what it waits for, who holds what that one
     * waits for, and so on, up to the wait itself; empty if there is none.
     *
     * @param holders those who hold a lock and wait, by the lock
     */
    static List<Link> through(Caller caller, String waitsFor, Map<String, List<Link>> holders) {
        Set<Caller> met = new HashSet<>();
        Queue<List<Link>> open = new ArrayDeque<>();
        open.add(List.of());
        while (!open.isEmpty()) {
            List<Link> path = open.remove();
            String next =
                    path.isEmpty() ? waitsFor : path.get(path.size() - 1).note().waitsFor();
            for (Link link : holders.getOrDefault(next, List.of())) {
                List<Link> longer = new ArrayList<>(path);
                longer.add(link);
                if (link.caller().equals(caller)) {
                    return List.copyOf(longer);
                }
                if (met.add(link.caller())) {
                    open.add(longer);
                }
            }
        }
        return List.of();
    }

    /** Returns what stays as it is for as long as a ring stands, wherever it begins. */
    static Set<Seen> seen(List<Link> ring) {
        return ring.stream().map(Link::seen).collect(Collectors.toSet());
    }

    /** Returns all rings, each once. */
    static List<List<Link>> all(Map<String, List<Link>> holders) {
        List<List<Link>> rings = new ArrayList<>();
        Set<Caller> done = new HashSet<>();
        for (List<Link> links : holders.values()) {
            for (Link link : links) {
                List<Link> ring = done.contains(link.caller())
                        ? List.of()
                        : through(link.caller(), link.note().waitsFor(), holders);
                if (!ring.isEmpty()) {
                    ring.forEach(part -> done.add(part.caller())); // its own, too: so no ring is found twice
                    rings.add(ring);
                }
            }
        }
        return rings;
    }

    /**
     * Returns those of a ring who may be told to give up, the youngest first; nobody where permits are part of it, or a lease that
     * another thread may give back: the ring may end by itself then.
     */
    static List<Caller> victims(List<Link> ring) {
        return ring.stream().anyMatch(link -> link.permits() || !link.note().bound())
                ? List.of()
                : ring.stream()
                        .filter(link -> link.note().breaks())
                        .sorted(Comparator.comparingLong(
                                        (Link link) -> link.note().since())
                                .thenComparing(link -> link.claim().client())
                                .thenComparing(link -> link.note().number())
                                .reversed())
                        .map(Link::caller)
                        .toList();
    }
}
