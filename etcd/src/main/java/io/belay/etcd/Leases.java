package io.belay.etcd;

import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.etcd.jetcd.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The leases of one client: one for all claims of a length, one for each fixed lease, one for all tombstones. */
final class Leases {
    private final ReentrantLock lock = new ReentrantLock();
    private final Lease leases;
    private final Duration timeout;
    private final ClientLease none;
    /** The present lease of each length, in seconds. */
    private final Map<Long, ClientLease> shared = new ConcurrentHashMap<>();
    /** The leases that the keys of claims are attached to, as far as is known, or are to be. */
    private final Map<ClaimId, ClientLease> attached = new ConcurrentHashMap<>();
    /** The leases that last as long as one claim is to. */
    private final Map<ClaimId, Fixed> fixed = new ConcurrentHashMap<>();

    private @Nullable CompletableFuture<Long> grave;
    private long dug;

    Leases(Lease leases, Duration timeout) {
        this.leases = leases;
        this.timeout = timeout;
        none = ClientLease.none(leases, timeout);
    }

    private record Fixed(long number, long until) {}

    /** Returns the least number of whole seconds that is not shorter; etcd knows no others. */
    private static long seconds(long micros) {
        return Math.max(1, (micros + 999_999) / 1_000_000);
    }

    /** Returns the lease that a claim's key is to be attached to; the claims of nobody are attached to nothing. */
    CompletableFuture<ClientLease> usable(ClaimId id, Details details) {
        if (id.client() == ClaimId.NOBODY) {
            return CompletableFuture.completedFuture(none);
        }
        return present(details.lease()).usable().thenCompose(lease -> {
            if (lease.isOver()) {
                return usable(id, details);
            }
            attached.put(id, lease);
            return CompletableFuture.completedFuture(lease);
        });
    }

    private ClientLease present(long micros) {
        return shared.compute(
                seconds(micros),
                (length, before) ->
                        before == null || before.isOver() ? ClientLease.grant(leases, length, timeout) : before);
    }

    /** Returns the lease that an own key is attached to, as far as is known. */
    ClientLease of(Node node) {
        return attached.getOrDefault(node.id(), none);
    }

    /**
     * Returns until when a claim's key lasts that was found attached to a lease, as a {@link System#nanoTime()}; empty
     * if that lease is known to have ended, or nothing keeps it alive.
     */
    Optional<Long> until(Node node, long number) {
        Fixed own = fixed.get(node.id());
        if (node.id().client() == ClaimId.NOBODY) {
            return Optional.of(none.until());
        } else if (own != null && own.number == number) {
            return Optional.of(own.until);
        }
        ClientLease to = attached.get(node.id());
        if (to == null || to.id() != number) {
            to = shared.get(seconds(node.details().lease())); // it was moved, and that was not answered
        }
        if (to == null || to.id() != number || to.isOver()) {
            return Optional.empty();
        }
        attached.put(node.id(), to);
        return Optional.of(to.until());
    }

    /** Returns whether etcd ends a claim's key by itself, if there is one at all. */
    boolean isOver(ClaimId id) {
        ClientLease to = attached.get(id);
        return id.client() != ClaimId.NOBODY && (to == null || to.isOver());
    }

    /** Returns the number of the lease that an own key is attached to; 0 for none. */
    long number(Node node) {
        Fixed own = fixed.get(node.id());
        ClientLease to = attached.get(node.id());
        return own != null ? own.number : to == null ? 0 : to.id();
    }

    /** Asks for a lease for one claim, of at least that length, in place of the one that it may have. */
    CompletableFuture<Long> grant(ClaimId id, long micros) {
        long now = System.nanoTime();
        return leases.grant(seconds(micros)).thenApply(granted -> {
            fixed.put(id, new Fixed(granted.getID(), now + TimeUnit.MICROSECONDS.toNanos(micros)));
            return granted.getID();
        });
    }

    /** Forgets a claim that has been left, and revokes a lease of its own: nobody needs that any more. */
    void forget(ClaimId id) {
        attached.remove(id);
        Fixed own = fixed.remove(id);
        if (own != null) {
            leases.revoke(own.number); // if that fails, it ends by itself
        }
    }

    /** Returns a lease for tombstones, which lasts for a minute at least, and for no more than two. */
    CompletableFuture<Long> grave() {
        lock.lock();
        try {
            long now = System.nanoTime();
            long memory = TimeUnit.MICROSECONDS.toNanos(Resource.MEMORY);
            CompletableFuture<Long> present = grave;
            if (present == null || present.isCompletedExceptionally() || now - dug > memory) {
                dug = now;
                present = leases.grant(2 * seconds(Resource.MEMORY))
                        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .thenApply(granted -> granted.getID());
                grave = present;
            }
            return present;
        } finally {
            lock.unlock();
        }
    }
}
