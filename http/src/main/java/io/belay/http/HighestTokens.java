package io.belay.http;

import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/** The highest tokens that one process has seen, of the locks that it has seen last. Thread-safe. */
final class HighestTokens {
    /** The attribute of requests that were judged by these: filters of different services may come one after the other. */
    final String judged = HighestTokens.class.getName() + "." + UUID.randomUUID();

    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    // Under the lock, in the order of their last use.
    private final Map<String, Long> highest = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Makes a memory without tokens.
     *
     * @param most how many locks are remembered
     */
    HighestTokens(int most) {
        this.most = most;
    }

    /**
     * Notes tokens, all or none.
     *
     * @throws StaleTokenException if a higher one of the same lock was there before
     */
    void raise(List<FencingToken> tokens) {
        lock.lock();
        try {
            for (FencingToken token : tokens) {
                Long seen = highest.get(token.lock());
                if (seen != null && seen > token.value()) {
                    throw StaleTokenException.of(token, seen);
                }
            }
            tokens.forEach(token -> highest.put(token.lock(), token.value()));
            while (highest.size() > most) {
                highest.remove(highest.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }
}
