package io.belay.internal.claim;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The claims that the store keeps for a while after they were given back, known for a minute: a push of their grant that
 * comes late is not to be taken for one that nobody wants, and left. Thread-safe.
 */
public final class KeptClaims {
    /** The longest time by which a push may be late, in nanoseconds. */
    private static final long LATE = 60_000_000_000L;

    private record Kept(long number, long since) {}

    private final Queue<Kept> inOrder = new ConcurrentLinkedQueue<>();
    private final Set<Long> numbers = ConcurrentHashMap.newKeySet();

    public void add(long number, long now) {
        for (Kept oldest = inOrder.peek(); oldest != null && now - oldest.since() >= LATE; oldest = inOrder.peek()) {
            inOrder.remove(oldest);
            numbers.remove(oldest.number());
        }
        numbers.add(number);
        inOrder.add(new Kept(number, now));
    }

    public boolean contains(long number) {
        return numbers.contains(number);
    }
}
