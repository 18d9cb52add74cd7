package io.belay.node;

import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.belay.support.Mutex;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The claims that were left while an enter of them may still come: for a minute they enter no more. Thread-safe. */
final class EndedClaims {
    private final Mutex lock = new Mutex();
    private final Map<ClaimId, Long> until = new LinkedHashMap<>();

    void add(ClaimId id) {
        try (var held = lock.hold()) {
            long now = System.nanoTime();
            until.remove(id);
            until.put(id, now + Resource.MEMORY * 1000);
            Iterator<Long> oldest = until.values().iterator();
            while (oldest.hasNext() && oldest.next() - now < 0) {
                oldest.remove();
            }
        }
    }

    boolean contains(ClaimId id) {
        try (var held = lock.hold()) {
            Long end = until.get(id);
            return end != null && System.nanoTime() - end < 0;
        }
    }
}
