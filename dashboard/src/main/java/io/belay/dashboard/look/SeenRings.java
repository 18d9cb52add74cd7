package io.belay.dashboard.look;

import io.belay.Inspection.Claim;
import io.belay.LockMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deadlocks: threads each of which waits for a lock that the next one holds, in a ring. Locks are read one after the other, so that
 * a ring may be made of moments that never were together: only one that was seen twice in a row counts.
 *
 * <p>The store knows one thread of each claim. A thread that waits behind another of its own client is in no ring that is seen here.
 * For one thread.
 */
final class SeenRings {
    private static final int LONGEST = 20;

    /**
     * A part of a ring.
     *
     * @param who the thread
     * @param waitsFor the lock that it waits for, which the next one's thread holds
     */
    record Link(Who who, String waitsFor) {}

    private Set<Set<Link>> before = Set.of();

    /** Returns the rings among these locks that were there the last time, too. */
    List<List<Link>> confirm(Collection<SeenLock> locks) {
        List<List<Link>> now = find(locks);
        Set<Set<Link>> keys = new HashSet<>();
        List<List<Link>> confirmed = new ArrayList<>();
        for (List<Link> ring : now) {
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
        before.forEach(ring -> ring.forEach(link -> names.add(link.waitsFor())));
        return names;
    }

    /** Returns all rings, each once. */
    static List<List<Link>> find(Collection<SeenLock> locks) {
        Map<Who, List<Wait>> waits = new LinkedHashMap<>();
        for (SeenLock lock : locks) {
            List<Who> holders = lock.claims().stream()
                    .filter(claim -> claim.place() == 0 && isNamed(claim))
                    .map(claim -> Who.of(claim).anybodys())
                    .toList();
            for (Claim claim : lock.claims()) {
                if (claim.place() > 0 && isNamed(claim)) {
                    waits.computeIfAbsent(Who.of(claim).anybodys(), any -> new ArrayList<>())
                            .add(new Wait(lock.name(), holders));
                }
            }
        }
        Map<Set<Link>, List<Link>> rings = new LinkedHashMap<>();
        Set<Who> done = new HashSet<>();
        for (Who who : waits.keySet()) {
            walk(who, waits, new ArrayList<>(), new HashMap<>(), done, rings);
        }
        return List.copyOf(rings.values());
    }

    /** Who waits for permits waits for as many as will do, of whomever: that is no ring. */
    private static boolean isNamed(Claim claim) {
        return !claim.thread().isEmpty() && claim.mode() != LockMode.PERMITS;
    }

    private static void walk(
            Who who,
            Map<Who, List<Wait>> waits,
            List<Link> path,
            Map<Who, Integer> places,
            Set<Who> done,
            Map<Set<Link>, List<Link>> rings) {
        Integer place = places.get(who);
        if (place != null) {
            List<Link> ring = List.copyOf(path.subList(place, path.size()));
            rings.putIfAbsent(Set.copyOf(ring), ring);
            return;
        }
        if (done.contains(who) || path.size() == LONGEST) {
            return;
        }
        places.put(who, path.size());
        for (Wait wait : waits.getOrDefault(who, List.of())) {
            path.add(new Link(who, wait.lock()));
            wait.holders().forEach(holder -> walk(holder, waits, path, places, done, rings));
            path.remove(path.size() - 1);
        }
        places.remove(who);
        done.add(who);
    }

    /** A wait for a lock, and who has that. */
    private record Wait(String lock, List<Who> holders) {}
}
