package io.belay.trials.jsr166.adapter;

import io.belay.Inspection.Claim;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells who holds a lock and who waits for it. The store knows how many wait ({@code inspect}), but not which
 * threads of a client; the adapter knows which threads are in a call that may wait, but not whether they have come
 * to wait yet. Where both numbers are the same, those threads are the ones that wait.
 *
 * <p>What happens inside a client, others are told with its next renewal. So each client is asked for its own claims.
 */
final class Waiters {
    /** A call that may wait. */
    interface Call<T, X extends Exception> {
        T run() throws X;
    }

    private final String name;
    private final Set<Thread> calling = ConcurrentHashMap.newKeySet();
    /** The threads that ever called, to find a holder by its name. */
    private final Set<Thread> known = ConcurrentHashMap.newKeySet();

    Waiters(String name) {
        this.name = name;
    }

    /** Makes a call that may wait. */
    <T, X extends Exception> T during(Call<T, X> call) throws X {
        Thread self = Thread.currentThread();
        known.add(self);
        calling.add(self);
        try {
            return call.run();
        } finally {
            calling.remove(self);
        }
    }

    private List<Claim> claims() {
        return Adapters.clients().stream()
                .flatMap(client -> client.admin().inspect(name).claims().stream())
                .filter(Claim::own)
                .toList();
    }

    /** The number of those who wait, as the store tells it. */
    int count() {
        return claims().stream()
                .mapToInt(claim -> claim.localWaiters() + (claim.place() > 0 ? 1 : 0))
                .sum();
    }

    /** Finds the threads that wait; none if that is not known at this moment. */
    Collection<Thread> threads() {
        Set<Thread> before = Set.copyOf(calling);
        return before.size() == count() && before.equals(calling) ? before : Set.of();
    }

    /** Tells whether this thread waits; false if that is not known at this moment. */
    boolean contains(Thread thread) {
        return threads().contains(Objects.requireNonNull(thread));
    }

    /** Adds up the permits that are held. */
    int held() {
        return claims().stream()
                .filter(claim -> claim.place() == 0)
                .mapToInt(Claim::permits)
                .sum();
    }

    boolean isHeld() {
        return holder() != null;
    }

    /** Finds the thread that the store names as the first holder. */
    @Nullable
    Thread owner() {
        Claim holder = holder();
        return holder == null
                ? null
                : known.stream()
                        .filter(thread -> thread.getName().equals(holder.thread()))
                        .findFirst()
                        .orElse(null);
    }

    private @Nullable Claim holder() {
        // One that a client keeps, and none of its threads has, names nobody.
        return claims().stream()
                .filter(claim -> claim.place() == 0 && !claim.thread().isEmpty())
                .findFirst()
                .orElse(null);
    }
}
