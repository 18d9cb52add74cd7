package io.belay.trials.jsr166.adapter;

import io.belay.Belay;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The same lock as each client has it. The threads that come to it take turns: the first that uses it does so by the first
 * client, the next one by the second, and so on. A thread stays with its client, as it owns what it locks there.
 */
final class OfEachClient<T> {
    private final List<T> all;
    private final Map<Thread, T> chosen = new ConcurrentHashMap<>();
    private final AtomicInteger threads = new AtomicInteger();

    private OfEachClient(List<T> all) {
        this.all = all;
    }

    /** Makes the lock by each client. */
    static <T> OfEachClient<T> make(Function<Belay, T> lock) {
        return new OfEachClient<>(Adapters.clients().stream().map(lock).toList());
    }

    /** Returns the lock of the client that this thread uses. */
    T mine() {
        return chosen.computeIfAbsent(
                Thread.currentThread(), thread -> all.get(threads.getAndIncrement() % all.size()));
    }

    /** Returns what a part of the lock is for each client; a thread has the part of the lock that it has. */
    <P> Part<P> part(Function<T, P> part) {
        return () -> part.apply(mine());
    }

    /** A part of such a lock. */
    interface Part<P> {
        P mine();
    }
}
