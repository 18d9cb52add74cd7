package io.belay.cli.doctor;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A trial of a store by two clients: a lock is taken and read back, handed over, raced for, and lost on purpose. It has a name of its
 * own, {@value #NAME}, and a short lease, so that nothing is left if the trial is killed; two doctors at once take turns.
 */
final class LockTrial {
    /** The name of the lock, which is reserved for this. */
    static final String NAME = "belay-doctor";

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration RACE = Duration.ofSeconds(1);

    private final Belay one;
    private final Belay other;

    /** The obstacle that a trial ends at. */
    private static final class Obstacle extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Finding finding;

        Obstacle(String subject, String what, String cure) {
            super(what);
            finding = Finding.of(Severity.DANGER, subject, what, cure);
        }
    }

    private LockTrial(Belay one, Belay other) {
        this.one = one;
        this.other = other;
    }

    /** Tries a store. Returns what went wrong, which is the end of the trial; empty if nothing did. */
    static Optional<Finding> of(String url) throws InterruptedException {
        BelayOptions options = BelayOptions.defaults()
                .withClientName("doctor")
                .withLockDefaults(LockOptions.defaults().withLease(LEASE));
        try (Belay one = Belay.connect(url, options);
                Belay other = Belay.connect(url, options)) {
            LockTrial trial = new LockTrial(one, other);
            trial.handOver();
            trial.race();
            trial.lose();
            return Optional.empty();
        } catch (Obstacle e) {
            return Optional.of(e.finding);
        } catch (BelayException e) {
            return Optional.of(none(String.valueOf(e.getMessage())));
        }
    }

    private static Finding none(String why) {
        return Finding.of(
                Severity.DANGER,
                "lock",
                "No lock could be taken: " + why + (why.endsWith(".") ? "" : "."),
                "Mend that and ask again; to look without taking a lock, use --read-only.");
    }

    private Lease take(Belay client) throws InterruptedException, Obstacle {
        return client.lock(NAME)
                .tryAcquire(PATIENCE)
                .orElseThrow(() -> new Obstacle(
                        "lock",
                        "No lock could be taken: others had " + NAME + " for " + PATIENCE.toSeconds() + " s.",
                        "See who has it, by belay inspect " + NAME + "."));
    }

    private void handOver() throws InterruptedException, Obstacle {
        Lease held = take(one);
        CompletableFuture<Lease> waiting = other.lock(NAME).acquireAsync();
        try {
            boolean there =
                    other.admin().inspect(NAME).claims().stream().anyMatch(claim -> claim.token() == held.token());
            if (!there) {
                throw new Obstacle(
                        "read back",
                        "A lock that is held does not show: what one client has written another does not read.",
                        "Use a store with one master, and let no proxy send reads to replicas.");
            }
            held.release();
            Lease next = waiting.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            next.release();
            if (next.token() <= held.token()) {
                throw new Obstacle(
                        "tokens",
                        "The token " + next.token() + " came after " + held.token() + ".",
                        "See whether the store was restored, or its clock set back.");
            }
        } catch (ExecutionException | CompletionException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw new Obstacle("hand-over", "A lock was not handed over: " + why.getMessage(), "Mend that.");
        } catch (TimeoutException e) {
            throw new Obstacle(
                    "hand-over",
                    "A lock that was given back was not had by who waited for it within " + PATIENCE.toSeconds()
                            + " s.",
                    "See whether the store is overloaded, and what its log says.");
        } finally {
            waiting.cancel(false);
        }
    }

    /** Has both clients take the lock and give it back as often as they can. */
    private void race() throws InterruptedException, Obstacle {
        AtomicReference<Lease> present = new AtomicReference<>();
        AtomicReference<Obstacle> failure = new AtomicReference<>();
        long end = System.nanoTime() + RACE.toNanos();
        List<Thread> threads = List.of(racer(one, present, failure, end), racer(other, present, failure, end));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Obstacle found = failure.get();
        if (found != null) {
            throw found;
        }
    }

    private Thread racer(Belay client, AtomicReference<Lease> present, AtomicReference<Obstacle> failure, long end) {
        return new Thread(
                () -> {
                    DistributedLock lock = client.lock(NAME);
                    try {
                        while (System.nanoTime() < end && failure.get() == null) {
                            Optional<Lease> taken = lock.tryAcquire(PATIENCE);
                            taken.ifPresent(lease -> hold(lease, present, failure));
                        }
                    } catch (BelayException e) {
                        failure.compareAndSet(
                                null,
                                new Obstacle(
                                        "race", "Two clients that took turns failed: " + e.getMessage(), "Mend that."));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "belay-doctor-race");
    }

    private static void hold(Lease lease, AtomicReference<Lease> present, AtomicReference<Obstacle> failure) {
        Lease before = present.getAndSet(lease);
        if (before != null && before.isHeld() && lease.isHeld()) {
            failure.compareAndSet(
                    null,
                    new Obstacle(
                            "exclusion",
                            "Two clients that raced for a lock had it at the same time.",
                            "Keep no locks there: what Belay asks for in one piece is not done in one."));
        }
        present.compareAndSet(lease, null);
        lease.close();
    }

    private void lose() throws InterruptedException, Obstacle {
        Lease held = take(one);
        CountDownLatch told = new CountDownLatch(1);
        held.onLost(loss -> told.countDown());
        try {
            other.admin().forceRelease(NAME);
            boolean heard = told.await(LEASE.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
            boolean gone =
                    other.admin().inspect(NAME).claims().stream().noneMatch(claim -> claim.token() == held.token());
            if (!heard || held.isHeld() || !gone) {
                throw new Obstacle(
                        "loss",
                        "A lock that was taken away " + (gone ? "is still believed to be held." : "is still there."),
                        "See whether the store keeps what it has confirmed.");
            }
        } finally {
            held.release();
        }
    }
}
