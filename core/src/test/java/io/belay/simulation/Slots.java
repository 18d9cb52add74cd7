package io.belay.simulation;

import io.belay.spi.ClaimId;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The numbers under which a client's claims have their nodes: the same few again and again, as far as that is safe. */
final class Slots {
    private final Map<ClaimId, Integer> taken = new HashMap<>();
    private final BitSet used = new BitSet();

    long take(ClaimId id) {
        if (id.client() == ClaimId.NOBODY) {
            return id.number();
        }
        return taken.computeIfAbsent(id, claim -> {
            int free = used.nextClearBit(0);
            used.set(free);
            return free;
        });
    }

    boolean has(ClaimId id) {
        return id.client() == ClaimId.NOBODY || taken.containsKey(id);
    }

    /** Something of the claim may still come or end late: its number is not taken again. */
    void abandon(ClaimId id) {
        taken.remove(id);
    }

    /** Nothing is left of the claim, and nothing of it can come any more. */
    void giveBack(ClaimId id) {
        Integer slot = taken.remove(id);
        if (slot != null) {
            used.clear(slot);
        }
    }
}
