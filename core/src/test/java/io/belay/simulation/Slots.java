package io.belay.simulation;

import io.belay.spi.ClaimId;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The numbers under which a client's claims have their nodes: the same few again and again, as far as that is safe. */
final class Slots {
    private final Map<ClaimId, Integer> taken = new HashMap<>();
    private final BitSet used = new BitSet();
    /** Of which claims how much was asked that is not answered, or never was: it may still come to the service. */
    private final Map<ClaimId, Integer> doubtful = new HashMap<>();

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

    /** Something is asked for it. */
    void doubt(ClaimId id) {
        doubtful.merge(id, 1, Integer::sum);
    }

    /** That is answered. */
    void trust(ClaimId id) {
        doubtful.merge(id, -1, (asked, one) -> asked == 1 ? null : asked - 1);
    }

    /** The claim has been left; its number is taken again unless something of it may still come, or it ends by itself. */
    void giveBack(ClaimId id, boolean unclear) {
        Integer slot = taken.remove(id);
        if (slot != null && doubtful.remove(id) == null && !unclear) {
            used.clear(slot);
        }
    }
}
