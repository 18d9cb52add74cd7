package io.belay.zookeeper;

import io.belay.spi.ClaimId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a client's claims, and of those of nobody that it is making, and how long their paths are together: a session ends by
 * one transaction with all of them. Servers write that whatever its length is, and where it is too long for them to read they do not
 * start again (ZOOKEEPER-4306). Thread-safe.
 */
final class Places {
    /**
     * The session in which a claim entered, and its node there.
     *
     * @param key the node; null if an enter or leave was not answered well
     * @param last the node that was known last, which may be gone
     * @param bytes what the node's path may add to the transaction by which the session ends
     */
    record Place(
            Session session, @Nullable String key, @Nullable String last, int bytes) {
        /** Returns the place of a claim of which no node is known. */
        static Place unknown(Session session, int bytes) {
            return new Place(session, null, null, bytes);
        }

        Place at(String node) {
            return new Place(session, node, node, bytes);
        }

        /** Returns the same place after a leave that may be answered or not. */
        Place unsure() {
            return new Place(session, null, last, bytes);
        }
    }

    /** The length that servers take where nothing else is said. */
    private static final int USUAL = 0xfffff;

    /** What is in that transaction besides the paths, and more. */
    private static final int ROOM = 1024;

    private final ConcurrentHashMap<ClaimId, Place> all = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    /** Returns whether the paths are longer than servers can read: twice the length that they take, unless told otherwise. */
    boolean areTooMany() {
        // They should have the same property as this JVM, says ZooKeeper.
        long taken = Math.max(USUAL, Integer.getInteger("jute.maxbuffer", USUAL));
        return bytes.get() > 2 * taken - ROOM;
    }

    int size() {
        return all.size();
    }

    void forEach(BiConsumer<ClaimId, Place> each) {
        all.forEach(each);
    }

    @Nullable
    Place get(ClaimId id) {
        return all.get(id);
    }

    /** Notes the place of a claim that has none; returns the one that it has, or null. */
    @Nullable
    Place putIfAbsent(ClaimId id, Place place) {
        Place before = all.putIfAbsent(id, place);
        bytes.addAndGet(before == null ? place.bytes : 0);
        return before;
    }

    void put(ClaimId id, Place place) {
        Place before = all.put(id, place);
        bytes.addAndGet(place.bytes - (before == null ? 0 : before.bytes));
    }

    /** Returns the place that a claim has then; null if it has none. */
    @Nullable
    Place change(ClaimId id, UnaryOperator<Place> change) {
        return all.computeIfPresent(id, (claim, place) -> change.apply(place)); // of as many bytes
    }

    boolean replace(ClaimId id, Place place, Place next) {
        return all.replace(id, place, next); // of as many bytes
    }

    void remove(ClaimId id) {
        Place before = all.remove(id);
        bytes.addAndGet(before == null ? 0 : -before.bytes);
    }

    boolean remove(ClaimId id, Place place) {
        boolean removed = all.remove(id, place);
        bytes.addAndGet(removed ? -place.bytes : 0);
        return removed;
    }
}
