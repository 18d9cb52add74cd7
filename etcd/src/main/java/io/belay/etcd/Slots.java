package io.belay.etcd;

import io.belay.spi.ClaimId;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The numbers under which a client's claims have their keys, each one's until it has left: the same few again and again.
 * etcd remembers deleted keys until it is compacted, and would have to step over more and more of them. Thread-safe.
 */
final class Slots {
    private final Map<ClaimId, Integer> taken = new HashMap<>();
    private final BitSet used = new BitSet();

    /** The claim's number; the same one until it is given back. That of nobody's claims is made of their ids. */
    synchronized long take(ClaimId id) {
        if (id.client() == ClaimId.NOBODY) {
            return id.number();
        }
        return taken.computeIfAbsent(id, claim -> {
            int free = used.nextClearBit(0);
            used.set(free);
            return free;
        });
    }

    /** The claim's number, if it has one. */
    private OptionalLong of(ClaimId id) {
        if (id.client() == ClaimId.NOBODY) {
            return OptionalLong.of(id.number());
        }
        Integer slot = taken.get(id);
        return slot == null ? OptionalLong.empty() : OptionalLong.of(slot);
    }

    /** Something of the claim may still come or end late: its number, if it has one, is not taken again. */
    synchronized OptionalLong abandon(ClaimId id) {
        OptionalLong slot = of(id);
        taken.remove(id);
        return slot;
    }

    /** Nothing is left of the claim, and nothing of it can come any more. */
    synchronized void giveBack(ClaimId id) {
        Integer slot = taken.remove(id);
        if (slot != null) {
            used.clear(slot);
        }
    }
}
