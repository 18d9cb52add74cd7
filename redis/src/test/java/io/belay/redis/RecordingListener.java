package io.belay.redis;

import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Store;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what a store tells. */
class RecordingListener implements Store.Listener {
    final Queue<Push> pushes = new ConcurrentLinkedQueue<>();
    final AtomicInteger reconnects = new AtomicInteger();

    @Override
    public void pushed(Push push) {
        pushes.add(push);
    }

    /** Returns whether it was told that the claim is granted. */
    boolean isGranted(ClaimId id) {
        return pushes.stream().anyMatch(push -> push.granted() && push.id().equals(id));
    }

    @Override
    public void reconnected() {
        reconnects.incrementAndGet();
    }
}
