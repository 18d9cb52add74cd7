package io.belay.etcd;

import io.etcd.jetcd.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lease of etcd's that all claims of a client share that ask for the same length. It is granted when it is first needed,
 * kept alive by the renewals of claims, and left to end when there are none. Thread-safe.
 */
final class ClientLease {
    /** Those who want it alive at about the same time ask once. */
    private static final int FRACTION = 20;

    private final Lease leases;
    private final long seconds;
    private final Duration timeout;

    private long id;
    /** When it ends, as a {@link System#nanoTime()}: counted from before it was asked for. */
    private long until;

    private long ttlNanos;
    private long asked;
    private @Nullable CompletableFuture<ClientLease> granting;
    private @Nullable CompletableFuture<ClientLease> renewing;

    /** With no seconds it is none: what is attached to it is attached to nothing, and stays. */
    ClientLease(Lease leases, long seconds, Duration timeout) {
        this.leases = leases;
        this.seconds = seconds;
        this.timeout = timeout;
    }

    synchronized long id() {
        return id;
    }

    synchronized long until() {
        return seconds == 0 ? System.nanoTime() + Long.MAX_VALUE / 4 : until;
    }

    /** Sees to it that there is one. */
    synchronized CompletableFuture<ClientLease> usable() {
        long now = System.nanoTime();
        if (seconds == 0) {
            return CompletableFuture.completedFuture(this);
        } else if (id == 0 || now - until >= 0) {
            return grant(now);
        }
        if (now - asked > ttlNanos / 3) {
            alive(); // for the next one; this one needs not wait for it
        }
        return CompletableFuture.completedFuture(this);
    }

    private CompletableFuture<ClientLease> grant(long now) {
        CompletableFuture<ClientLease> running = granting;
        if (running != null) {
            return running;
        }
        CompletableFuture<ClientLease> made = new CompletableFuture<>();
        granting = made;
        inTime(leases.grant(seconds)).whenComplete((response, error) -> {
            synchronized (this) {
                granting = null;
                if (error == null) {
                    id = response.getID();
                    ttlNanos = TimeUnit.SECONDS.toNanos(response.getTTL());
                    asked = now;
                    until = now + ttlNanos;
                }
            }
            finish(made, error);
        });
        return made;
    }

    /** Keeps it alive; it may turn out to have ended. */
    synchronized CompletableFuture<ClientLease> alive() {
        long now = System.nanoTime();
        CompletableFuture<ClientLease> running = renewing;
        if (running != null) {
            return running;
        } else if (id == 0 || now - asked < ttlNanos / FRACTION) {
            return CompletableFuture.completedFuture(this);
        } else if (now - until >= 0) {
            id = 0; // all claims in it are lost by now: kept alive, it would keep their keys
            return CompletableFuture.completedFuture(this);
        }
        CompletableFuture<ClientLease> made = new CompletableFuture<>();
        renewing = made;
        long renewed = id;
        inTime(leases.keepAliveOnce(renewed)).whenComplete((response, error) -> {
            synchronized (this) {
                renewing = null;
                if (id == renewed && (error == null ? response.getTTL() <= 0 : EtcdFailures.isNotFound(error))) {
                    id = 0;
                } else if (id == renewed && error == null) {
                    asked = now;
                    until = now + TimeUnit.SECONDS.toNanos(response.getTTL());
                }
            }
            finish(made, error != null && EtcdFailures.isNotFound(error) ? null : error);
        });
        return made;
    }

    private <T> CompletableFuture<T> inTime(CompletableFuture<T> reply) {
        return reply.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void finish(CompletableFuture<ClientLease> made, @Nullable Throwable error) {
        if (error == null) {
            made.complete(this);
        } else {
            made.completeExceptionally(error);
        }
    }

    /** Whether a lease of that number ends by itself, if it has not yet: it is not kept alive any more. */
    synchronized boolean isOver(long which) {
        return id != which || System.nanoTime() - until() >= 0;
    }

    /** It was found to have ended. */
    synchronized void ended(long which) {
        if (id == which) {
            id = 0;
        }
    }
}
