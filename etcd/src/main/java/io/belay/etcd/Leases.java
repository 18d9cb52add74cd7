package io.belay.etcd;

import io.belay.node.Deadline;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.belay.support.Moment;
import io.belay.support.Mutex;
import io.etcd.jetcd.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The leases of one client: one for all claims of a length, one for each fixed lease, one for all tombstones. */
final class Leases {
    private final Mutex lock = new Mutex();
    private final Lease leases;
    private final Duration timeout;
    private final long client;
    private final ClientLease none;
    /** The present lease of each length, in seconds. */
    private final Map<Long, ClientLease> shared = new ConcurrentHashMap<>();
    /** The leases that the keys of claims are attached to, as far as is known, or are to be, until they are left. */
    private final Map<ClaimId, ClientLease> attached = new ConcurrentHashMap<>();
    /** The leases that last as long as one claim is to, to which its key is attached. */
    private final Map<ClaimId, Fixed> fixed = new ConcurrentHashMap<>();
    /** Those to which its key may have been moved: that is on its way, or was not answered. */
    private final Map<ClaimId, List<Fixed>> moving = new ConcurrentHashMap<>();

    /** The claims whose enter is under way: their keys may still come, also if they have no lease yet. */
    private final Set<ClaimId> entering = ConcurrentHashMap.newKeySet();

    private @Nullable CompletableFuture<Long> grave;
    private Moment dug = Moment.now();

    Leases(Lease leases, Duration timeout, long client) {
        this.leases = leases;
        this.timeout = timeout;
        this.client = client;
        none = ClientLease.none(leases, timeout);
    }

    /**
     * A lease of one claim.
     *
     * @param number its number at etcd
     * @param until when it ends at the earliest
     * @param revision the change by which the claim's key was attached to it; 0 where that is not known
     */
    record Fixed(long number, Deadline until, long revision) {}

    /** Returns the least number of whole seconds that is not shorter; etcd knows no others. */
    private static long seconds(long micros) {
        return Math.max(1, (micros + 999_999) / 1_000_000);
    }

    /** Notes that a claim enters, before its lease is asked for. */
    void entering(ClaimId id) {
        entering.add(id);
    }

    /** Notes that the enter of a claim is over, however it went. */
    void entered(ClaimId id) {
        entering.remove(id);
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
            // Unless the claim was left meanwhile: nothing would ever forget it.
            attached.compute(id, (claim, before) -> before != null || entering.contains(id) ? lease : null);
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
     * Returns until when a claim's key lasts that was found attached to a lease; empty if that lease is known to have
     * ended, or nothing keeps it alive.
     */
    Optional<Deadline> until(Node node, long number) {
        Fixed own = fixed.get(node.id());
        if (node.id().client() == ClaimId.NOBODY) {
            return Optional.of(none.until());
        } else if (own != null && own.number == number) {
            return Optional.of(own.until);
        }
        for (Fixed one : moving.getOrDefault(node.id(), List.of())) {
            if (one.number == number) {
                return Optional.of(one.until); // it was moved, and that was not answered
            }
        }
        ClientLease to = attached.get(node.id());
        if (to == null || to.id() != number) {
            to = shared.get(seconds(node.details().lease())); // it was moved, and that was not answered
        }
        if (to == null || to.id() != number || to.isOver()) {
            return Optional.empty();
        }
        attached.replace(node.id(), to); // unless it was left meanwhile
        return Optional.of(to.until());
    }

    /**
     * Returns whether etcd ends a claim's key of this client by itself, if there is one at all, and none is still to come. Not so of one
     * that has a lease of its own: only etcd tells that this has ended, and gives it its whole time anew after an outage.
     */
    boolean isOver(ClaimId id) {
        ClientLease to = attached.get(id);
        return id.client() == client
                && !fixed.containsKey(id)
                && !moving.containsKey(id)
                && !entering.contains(id)
                && (to == null || to.isOver());
    }

    /**
     * Returns the number of the lease that a key is attached to, 0 for one of nobody, which is attached to none; empty
     * where only etcd knows: while the key is moving, and of a claim that has not entered here or was left.
     */
    OptionalLong number(Node node) {
        ClaimId id = node.id();
        if (moving.containsKey(id)) { // before the others: a move that was made is noted there before it goes from here
            return OptionalLong.empty();
        }
        Fixed own = fixed.get(id);
        ClientLease to = attached.get(id);
        if (own != null) {
            return OptionalLong.of(own.number);
        } else if (to != null) {
            return OptionalLong.of(to.id());
        }
        return id.client() == ClaimId.NOBODY ? OptionalLong.of(none.id()) : OptionalLong.empty();
    }

    /** Returns whether a claim was left, so that nothing that is still on its way for it is to be noted. */
    private boolean isLeft(ClaimId id) {
        return id.client() != ClaimId.NOBODY && !attached.containsKey(id);
    }

    /** Asks for a lease of at least that length, to which a claim's key is to be moved. */
    CompletableFuture<Fixed> grant(ClaimId id, long micros) {
        Deadline until = Deadline.of(Moment.now(), TimeUnit.MICROSECONDS.toNanos(micros));
        CompletableFuture<Fixed> granted = leases.grant(seconds(micros)).thenApply(reply -> {
            Fixed lease = new Fixed(reply.getID(), until, 0);
            moving.compute(id, (claim, open) -> isLeft(id) ? open : with(open, lease));
            return lease;
        });
        CompletableFuture<Fixed> inTime = granted.copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        inTime.exceptionally(error -> {
            granted.thenAccept(late -> dropMove(id, late)); // nobody waits for it any more
            return null;
        });
        return inTime;
    }

    private static List<Fixed> with(@Nullable List<Fixed> open, Fixed one) {
        return open == null
                ? List.of(one)
                : Stream.concat(open.stream(), Stream.of(one)).toList();
    }

    private void settle(ClaimId id, Fixed lease) {
        moving.computeIfPresent(id, (claim, all) -> {
            List<Fixed> others =
                    all.stream().filter(one -> one.number != lease.number).toList();
            return others.isEmpty() ? null : others;
        });
    }

    /** Notes that a claim's key was moved to a lease, by that change of it; the one that it had is not needed any more. */
    void moved(ClaimId id, Fixed lease, long revision) {
        Fixed now = new Fixed(lease.number, lease.until, revision);
        fixed.compute(id, (claim, before) -> {
            if (before == null) {
                return isLeft(id) ? null : now;
            }
            boolean isLater = before.revision < revision;
            leases.revoke(isLater ? before.number : now.number);
            return isLater ? now : before;
        });
        settle(id, lease);
    }

    /** Drops a lease to which a claim's key was surely not moved. */
    void dropMove(ClaimId id, Fixed lease) {
        settle(id, lease);
        leases.revoke(lease.number); // if that fails, it ends by itself
    }

    /**
     * Notes that a claim could not be left, so that it goes with its lease alone: who enters from now on has another one, which
     * does not keep that alive.
     */
    void leftInVain(ClaimId id) {
        ClientLease to = attached.get(id);
        shared.values().removeIf(present -> present == to);
    }

    /** Forgets a claim that has been left, and revokes leases of its own: nobody needs them any more. */
    void forget(ClaimId id) {
        entering.remove(id);
        attached.remove(id); // before the others: without it nothing more is noted in them
        Fixed own = fixed.remove(id);
        if (own != null) {
            leases.revoke(own.number);
        }
        List<Fixed> open = moving.remove(id);
        if (open != null) {
            open.forEach(lease -> leases.revoke(lease.number));
        }
    }

    /** Returns a lease for tombstones, which lasts for a minute at least, and for no more than two. */
    CompletableFuture<Long> grave() {
        try (var held = lock.hold()) {
            long memory = TimeUnit.MICROSECONDS.toNanos(Resource.MEMORY);
            CompletableFuture<Long> present = grave;
            boolean isOld = dug.ago() > memory || dug.asleep() > 0;
            if (present == null || present.isCompletedExceptionally() || isOld) {
                dug = Moment.now();
                present = leases.grant(2 * seconds(Resource.MEMORY))
                        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .thenApply(granted -> granted.getID());
                grave = present;
            }
            return present;
        }
    }

    /** Forgets the lease for tombstones if it is this one, which etcd does not know any more. */
    void noGrave(long number) {
        try (var held = lock.hold()) {
            CompletableFuture<Long> present = grave;
            if (present != null && !present.isCompletedExceptionally() && present.getNow(0L) == number) {
                grave = null;
            }
        }
    }
}
