package io.belay.cli.doctor;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A trial of a store by two clients: a lock is taken and read back, handed over, raced for, and lost on purpose. It has a name of its
 * own, {@value #NAME}, and the lease that locks have by default, by which it is free again if the trial is killed; two doctors at
 * once take turns.
 */
final class LockTrial {
    /** The name of the lock, which is reserved for this. */
    static final String NAME = "belay-doctor";

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The longest to wait for a store that gives no lock, and may again. */
    private static final Duration FIRST = Duration.ofSeconds(5);

    /** The longest to wait for the name: a doctor that was killed has it until its lease of 30 s ends. */
    private static final Duration TURN = Duration.ofSeconds(40);

    private static final Duration RACE = Duration.ofSeconds(1);
    private static final Duration HELD = Duration.ofMillis(1);

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
        BelayOptions options = BelayOptions.defaults().withClientName("doctor");
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
        Optional<Lease> taken = client.lock(NAME).tryAcquire(FIRST);
        boolean had = taken.isEmpty() && !client.admin().inspect(NAME).claims().isEmpty();
        if (had) {
            taken = client.lock(NAME).tryAcquire(TURN);
        }
        if (taken.isPresent()) {
            return taken.get();
        }
        throw new Obstacle(
                "lock",
                "No lock could be taken: " + (had ? "others had " + NAME : "the store gave none, though nobody had it,")
                        + " for " + (had ? TURN : FIRST).toSeconds() + " s.",
                had
                        ? "See who has it, by belay inspect " + NAME + "."
                        : "Ask again later: members of a quorum that are new do not vote yet.");
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

    /** Has both clients take the lock and give it back as often as they can: when it is free for both, and as the next in line. */
    private void race() throws InterruptedException, Obstacle {
        Race race = new Race(System.nanoTime() + RACE.toNanos());
        List<Thread> threads = List.of(race.by(one), race.by(other));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Obstacle found = race.obstacle.get();
        if (found != null) {
            throw found;
        }
    }

    /** A race of clients for the lock. */
    private static final class Race {
        private final long end;
        private final AtomicReference<@Nullable Obstacle> obstacle = new AtomicReference<>();
        private final AtomicReference<@Nullable Lease> present = new AtomicReference<>();
        private final Set<Long> tokens = ConcurrentHashMap.newKeySet();

        Race(long end) {
            this.end = end;
        }

        Thread by(Belay client) {
            return new Thread(() -> run(client.lock(NAME)), "belay-doctor-race");
        }

        private void run(DistributedLock lock) {
            try {
                for (int i = 0; System.nanoTime() - end < 0 && obstacle.get() == null; i++) {
                    Optional<Lease> taken = i % 2 == 0 ? lock.tryAcquire() : lock.tryAcquire(PATIENCE);
                    taken.ifPresent(this::hold);
                }
            } catch (BelayException e) {
                obstacle.compareAndSet(
                        null,
                        new Obstacle("race", "Two clients that took turns failed: " + e.getMessage(), "Mend that."));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void hold(Lease lease) {
            Lease before = present.getAndSet(lease);
            LockSupport.parkNanos(HELD.toNanos()); // for the other one to come by, if it may
            boolean both = before != null && before.isHeld() && lease.isHeld();
            if (both || !tokens.add(lease.token())) {
                String what = both
                        ? "Two clients that raced for a lock had it at the same time."
                        : "Two holders of a lock were given the same token: what one has written was lost.";
                obstacle.compareAndSet(
                        null,
                        new Obstacle(
                                "exclusion",
                                what,
                                "Keep no locks there: what Belay asks for in one piece is not done in one."));
            }
            present.compareAndSet(lease, null);
            lease.close();
        }
    }

    private void lose() throws InterruptedException, Obstacle {
        Lease held = take(one);
        CountDownLatch told = new CountDownLatch(1);
        held.onLost(loss -> told.countDown());
        try {
            other.admin().forceRelease(NAME);
            boolean heard = told.await(TURN.toMillis(), TimeUnit.MILLISECONDS);
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
