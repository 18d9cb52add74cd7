package io.belay.dashboard.look;

import io.belay.Inspection.Claim;
import io.belay.LockMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Deadlocks: holders each of whom waits for a lock that the next one holds, in a ring, as their clients have noted for their own
 * search: names of threads tell nobody apart, and a future has no thread. Locks are read one after the other, so that a ring may be
 * made of moments that never were together: only one that was seen twice in a row counts. For one thread.
 */
final class SeenRings {
    /** In place of a place: all that is behind a link was gone into. */
    private static final int DONE = -1;

    /**
     * A part of a ring.
     *
     * @param holds a lock
     * @param token the fencing token of who holds it
     * @param who that is
     * @param waitsFor the lock that it waits for, which the next one holds
     */
    record Link(String holds, long token, Who who, String waitsFor) {}

    private Set<Set<Link>> before = Set.of();

    /**
     * Returns the rings among these locks that were there the last time, too.
     *
     * @param queues whether the store tells who waits
     */
    List<List<Link>> confirm(Collection<SeenLock> locks, boolean queues) {
        Set<Set<Link>> keys = new HashSet<>();
        List<List<Link>> confirmed = new ArrayList<>();
        for (List<Link> ring : find(locks, queues)) {
            Set<Link> key = Set.copyOf(ring);
            keys.add(key);
            if (before.contains(key)) {
                confirmed.add(ring);
            }
        }
        before = keys;
        return confirmed;
    }

    /** Returns the locks that may be in a ring, which are to be read again. */
    Set<String> suspects() {
        Set<String> names = new HashSet<>();
        before.forEach(ring -> ring.forEach(link -> names.add(link.holds())));
        return names;
    }

    /** Returns all rings, each once. */
    private static List<List<Link>> find(Collection<SeenLock> locks, boolean queues) {
        Map<String, List<Claim>> claims = new LinkedHashMap<>();
        locks.stream().filter(lock -> !lock.claims().isEmpty()).forEach(lock -> claims.put(lock.name(), lock.claims()));
        Map<String, List<Link>> links = new LinkedHashMap<>();
        claims.keySet().forEach(name -> links.put(name, links(name, claims, queues)));
        Map<Set<Link>, List<Link>> rings = new LinkedHashMap<>();
        Map<Link, Integer> places = new HashMap<>();
        links.values().forEach(all -> all.forEach(link -> walk(link, links, places, rings)));
        return List.copyOf(rings.values());
    }

    /** Returns those who hold a lock and wait; nobody where one of several who hold permits does not, as any of these may come free. */
    private static List<Link> links(String name, Map<String, List<Claim>> claims, boolean queues) {
        List<Link> links = new ArrayList<>();
        boolean all = true;
        boolean permits = false;
        for (Claim claim : claims.getOrDefault(name, List.of())) {
            if (claim.place() == 0) {
                Optional<String> waitsFor = claim.waitsFor()
                        .filter(other -> !queues || isThere(claim, claims.getOrDefault(other, List.of())));
                waitsFor.ifPresent(other -> links.add(new Link(name, claim.token(), Who.of(claim), other)));
                all &= waitsFor.isPresent();
                permits |= claim.mode() == LockMode.PERMITS;
            }
        }
        return permits && !all ? List.of() : links;
    }

    /** Returns whether a client stands where it says that it waits: what it has noted may outlive the wait for a moment. */
    private static boolean isThere(Claim waiter, List<Claim> queue) {
        return queue.stream()
                .anyMatch(claim -> claim.process() == waiter.process()
                        && claim.client().equals(waiter.client())
                        && claim.host().equals(waiter.host()));
    }

    /**
     * Goes from a link to all behind it that no walk has met yet. What it meets on its own way is a ring. A loop, as thousands may stand
     * behind each other.
     *
     * @param places of each link that was met its place on the way, or {@link #DONE}
     */
    private static void walk(
            Link first, Map<String, List<Link>> links, Map<Link, Integer> places, Map<Set<Link>, List<Link>> rings) {
        List<Link> way = new ArrayList<>();
        Deque<Iterator<Link>> open = new ArrayDeque<>();
        open.push(List.of(first).iterator());
        while (true) {
            if (open.element().hasNext()) {
                Link link = open.element().next();
                Integer place = places.putIfAbsent(link, way.size());
                if (place == null) {
                    way.add(link);
                    open.push(links.getOrDefault(link.waitsFor(), List.of()).iterator());
                } else if (place != DONE) {
                    List<Link> ring = List.copyOf(way.subList(place, way.size()));
                    rings.putIfAbsent(Set.copyOf(ring), ring);
                }
            } else {
                open.pop();
                if (open.isEmpty()) {
                    return;
                }
                places.put(way.remove(way.size() - 1), DONE);
            }
        }
    }
}
