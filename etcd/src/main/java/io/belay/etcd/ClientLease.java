package io.belay.etcd;

import io.belay.node.Deadline;
import io.belay.support.Moment;
import io.belay.support.Mutex;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.options.LeaseOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lease of etcd's, which all claims of a client share that asked for the same length while it was the present one.
 * The renewals of claims keep it alive, and it is left to end when there are none. Thread-safe.
 *
 * <p>Only etcd tells that a lease has ended. By the client's clock it may be over long before, as after an outage, and
 * goes on all the same as soon as it is kept alive: claims that were given up meanwhile are left one by one.
 */
final class ClientLease {
    /** The part of the lease's time, a twentieth, within which callers who want it alive share one request. */
    private static final int FRACTION = 20;

    private final Mutex lock = new Mutex();
    private final Lease leases;
    private final Duration timeout;
    private final CompletableFuture<ClientLease> granting;
    private @Nullable CompletableFuture<ClientLease> renewing;

    private long id;
    private long ttlNanos;
    private Moment asked = Moment.now();
    private boolean ended;

    private ClientLease(Lease leases, Duration timeout, CompletableFuture<ClientLease> granting) {
        this.leases = leases;
        this.timeout = timeout;
        this.granting = granting;
    }

    /** Makes a lease that stands for none: what is attached to it is attached to nothing, and stays. */
    static ClientLease none(Lease leases, Duration timeout) {
        ClientLease none = new ClientLease(leases, timeout, new CompletableFuture<>());
        none.ttlNanos = Long.MAX_VALUE / 4;
        none.granting.complete(none);
        return none;
    }

    /** Asks for a lease of that many seconds. */
    static ClientLease grant(Lease leases, long seconds, Duration timeout) {
        ClientLease lease = new ClientLease(leases, timeout, new CompletableFuture<>());
        Moment now = Moment.now();
        lease.inTime(leases.grant(seconds)).whenComplete((response, error) -> {
            if (error == null) {
                lease.granted(response.getID(), now, response.getTTL());
                lease.granting.complete(lease);
            } else {
                lease.granting.completeExceptionally(error);
            }
        });
        return lease;
    }

    private void granted(long number, Moment before, long seconds) {
        try (var held = lock.hold()) {
            id = number;
            renewed(before, seconds);
        }
    }

    private void renewed(Moment before, long seconds) {
        asked = before;
        ttlNanos = TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Returns the lease's number at etcd; 0 for none. */
    long id() {
        try (var held = lock.hold()) {
            return id;
        }
    }

    /** Returns when the lease ends: counted from before it was asked for. */
    Deadline until() {
        try (var held = lock.hold()) {
            return Deadline.of(id == 0 ? Moment.now() : asked, ttlNanos);
        }
    }

    /** Returns whether the lease is known to be there no more, and everything in it. */
    boolean isOver() {
        try (var held = lock.hold()) {
            return ended || granting.isCompletedExceptionally();
        }
    }

    /** Notes that the lease was found to have ended. */
    void end() {
        try (var held = lock.hold()) {
            ended = true;
        }
    }

    /** Returns this lease once it can be used, as far as is known, and keeps it alive if that is due. */
    CompletableFuture<ClientLease> usable() {
        long ago;
        try (var held = lock.hold()) {
            if (!granting.isDone() || isOver() || id == 0) {
                return granting;
            }
            ago = asked.asleep() > 0 ? Long.MAX_VALUE : asked.ago();
        }
        if (ago >= ttlNanos) {
            return alive();
        } else if (ago > ttlNanos / 3) {
            alive(); // for the next one; this one needs not wait for it
        }
        return granting;
    }

    /** Keeps the lease alive; it may turn out to have ended. */
    CompletableFuture<ClientLease> alive() {
        Moment now = Moment.now();
        CompletableFuture<ClientLease> made;
        try (var held = lock.hold()) {
            CompletableFuture<ClientLease> running = renewing;
            if (running != null) {
                return running;
            } else if (!granting.isDone() || isOver() || id == 0 || isFresh()) {
                return granting;
            }
            made = new CompletableFuture<>();
            renewing = made;
        }
        // What throws is over so as well.
        CompletableFuture.completedFuture(null)
                .thenCompose(begun -> inTime(keepAlive(LeaderCall.AT_ONCE)))
                .whenComplete((response, error) -> {
                    boolean gone = error == null ? response.getTTL() <= 0 : EtcdFailures.isNotFound(error);
                    try (var held = lock.hold()) {
                        renewing = null;
                        if (gone) {
                            ended = true;
                        } else if (error == null) {
                            renewed(now, response.getTTL());
                        }
                    }
                    if (error == null || gone) {
                        made.complete(this);
                    } else {
                        made.completeExceptionally(error instanceof CompletionException ? error.getCause() : error);
                    }
                });
        return made;
    }

    /**
     * Asks, and so many times more if it is refused by what has done nothing: a member that has no leader, where the next one may
     * have, or one that does not know the login any more. jetcd logs in anew for calls with one answer alone, so one is made
     * for that, whatever its answer; but only once, as of two members in turn it would go to the one that knows the login.
     */
    private CompletableFuture<LeaseKeepAliveResponse> keepAlive(int more) {
        return leases.keepAliveOnce(id()).exceptionallyCompose(error -> {
            boolean login = EtcdFailures.isLoginOver(error);
            if (more == 0 || !login && !EtcdFailures.isForAnother(error)) {
                return CompletableFuture.failedFuture(error);
            }
            return login && more == LeaderCall.AT_ONCE
                    ? leases.timeToLive(id(), LeaseOption.DEFAULT)
                            .handle((answer, failure) -> more - 1)
                            .thenCompose(this::keepAlive)
                    : keepAlive(more - 1);
        });
    }

    private boolean isFresh() {
        return asked.ago() < ttlNanos / FRACTION && asked.asleep() == 0;
    }

    private <T> CompletableFuture<T> inTime(CompletableFuture<T> reply) {
        return reply.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
}
