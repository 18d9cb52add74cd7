package io.belay.etcd;

import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.etcd.jetcd.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The leases of one client: one for all claims of a length, one for each fixed lease, one for what is to be forgotten. */
final class Leases {
    private final Lease leases;
    private final ClientLease none;
    private final Map<Long, ClientLease> shared = new ConcurrentHashMap<>();
    private final Map<ClaimId, Attached> attached = new ConcurrentHashMap<>();
    private final Map<ClaimId, Long> fixed = new ConcurrentHashMap<>();
    private @Nullable CompletableFuture<Long> grave;
    private long dug;

    private final Duration timeout;

    Leases(Lease leases, Duration timeout) {
        this.leases = leases;
        this.timeout = timeout;
        none = new ClientLease(leases, 0, timeout);
    }

    /** To what a claim's key was attached when it was made, unless that never came. */
    private record Attached(ClientLease lease, long number) {
        boolean isOver() {
            return lease.isOver(number);
        }
    }

    /** The least number of whole seconds that is not shorter; etcd knows no others. */
    private static long seconds(long micros) {
        return Math.max(1, (micros + 999_999) / 1_000_000);
    }

    /** What a claim's key is to be attached to; those of nobody are attached to nothing. */
    CompletableFuture<ClientLease> usable(ClaimId id, Details details) {
        return id.client() == ClaimId.NOBODY
                ? CompletableFuture.completedFuture(none)
                : shared(details.lease()).usable().thenApply(lease -> {
                    attached.put(id, new Attached(lease, lease.id()));
                    return lease;
                });
    }

    /** Whether a claim's key is ended by etcd, if there is one at all: nothing keeps its lease alive any more. */
    boolean isOver(ClaimId id) {
        Attached to = attached.get(id);
        return id.client() != ClaimId.NOBODY && (to == null || to.isOver());
    }

    ClientLease shared(long micros) {
        return shared.computeIfAbsent(seconds(micros), length -> new ClientLease(leases, length, timeout));
    }

    /** The number of the lease that a key is attached to. */
    long of(Node node) {
        Long own = fixed.get(node.id());
        return own != null
                ? own
                : node.id().client() == ClaimId.NOBODY
                        ? 0
                        : shared(node.details().lease()).id();
    }

    /** A lease for one claim, of at least that length. */
    CompletableFuture<Long> grant(ClaimId id, long micros) {
        return leases.grant(seconds(micros)).thenApply(granted -> {
            fixed.put(id, granted.getID());
            return granted.getID();
        });
    }

    /** The claim has been left: nobody needs its lease. */
    void forget(ClaimId id) {
        attached.remove(id);
        Long own = fixed.remove(id);
        if (own != null) {
            leases.revoke(own); // if that fails, it ends by itself
        }
    }

    /** A lease that lasts for a minute at least, and for no more than two. */
    synchronized CompletableFuture<Long> grave() {
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
    }
}
