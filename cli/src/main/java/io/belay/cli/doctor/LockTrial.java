package io.belay.cli.doctor;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.time.Duration;
import java.util.ArrayList;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A trial of a store by two clients: a lock is taken and read back, handed over, raced for, and lost on purpose. It has a name of its
 * own, {@value #NAME}, and the lease that locks have by default, or a shorter one where the store refuses that: by it the lock is free
 * again if the trial is killed. Two doctors at once take turns.
 *
 * <p>What is not answered in time shows nothing of that, and is tried again. Only a store that hardly answers is told of, as slow.
 */
final class LockTrial {
    /** The name of the lock, which is reserved for this. */
    static final String NAME = "belay-doctor";

    /** The longest to wait for a lock that is given back. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The number of hand-overs that come too late, or of questions without an answer, before that is told. */
    private static final int TRIES = 3;

    /** The longest to wait for a store that gives no lock, and may again. */
    private static final Duration FIRST = Duration.ofSeconds(5);

    /** The longest to wait for the name: a doctor that was killed has it until its lease of 30 s ends. */
    private static final Duration TURN = Duration.ofSeconds(40);

    private static final Duration RACE = Duration.ofSeconds(1);

    /** The longest race, for a store that has hardly answered. */
    private static final Duration LONGEST_RACE = Duration.ofSeconds(5);

    private static final Duration HELD = Duration.ofMillis(1);

    /** The leases to ask for where that of the defaults is refused: no store tells how long one it takes. */
    private static final List<Duration> SHORTER =
            List.of(Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofSeconds(1));

    private final Belay one;
    private final Belay other;
    private final Duration patience;
    private LockOptions options = LockOptions.defaults();

    /** The obstacle that a trial ends at. */
    private static final class Obstacle extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Finding finding;

        Obstacle(String subject, String what, String cure) {
            this(Finding.of(Severity.DANGER, subject, what, cure));
        }

        Obstacle(Finding finding) {
            super(finding.finding());
            this.finding = finding;
        }
    }

    private LockTrial(Belay one, Belay other, Duration patience) {
        this.one = one;
        this.other = other;
        this.patience = patience;
    }

    /** Tries a store. Returns what was too slow, and the danger at which the trial ended, if there was one. */
    static List<Finding> of(String url) throws InterruptedException {
        BelayOptions options = BelayOptions.defaults().withClientName("doctor");
        return of(() -> Belay.connect(url, options), PATIENCE);
    }

    /**
     * Tries a store by two of its clients.
     *
     * @param patience the longest to wait for a lock that is given back
     */
    static List<Finding> of(Supplier<Belay> clients, Duration patience) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        try (Belay one = clients.get();
                Belay other = clients.get()) {
            LockTrial trial = new LockTrial(one, other, patience);
            trial.begin().ifPresent(findings::add);
            trial.handOver().ifPresent(findings::add);
            trial.race().ifPresent(findings::add);
            trial.lose();
        } catch (Obstacle e) {
            findings.add(e.finding);
        } catch (BelayException e) {
            findings.add(none(String.valueOf(e.getMessage())));
        }
        return findings;
    }

    private static Finding none(String why) {
        return Finding.of(
                Severity.DANGER,
                "lock",
                "No lock could be taken: " + sentence(why),
                "Mend that and ask again; to look without taking a lock, use --read-only.");
    }

    private static Finding slow(String subject, String what) {
        return Finding.of(
                Severity.WARNING,
                subject,
                what,
                "If its round trips are long, use a store that is nearer or faster; if not, see whether it or this"
                        + " machine is overloaded, and ask again.");
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    /** Asks, and again if that has no answer in time. */
    private static <T> T answer(Supplier<T> question) throws Obstacle {
        String unanswered = "";
        for (int i = 0; i < TRIES; i++) {
            try {
                return question.get();
            } catch (StoreUnavailableException e) {
                unanswered = String.valueOf(e.getMessage());
            }
        }
        throw new Obstacle(slow(
                "trial",
                "The trial ended early, as what it asked had no answer, " + TRIES + " times: " + sentence(unanswered)));
    }

    private DistributedLock lock(Belay client) {
        return client.lock(NAME, options);
    }

    /**
     * Takes the lock a first time, with a shorter lease if need be. Returns what to say of a store that refuses the one which locks
     * have by default.
     */
    private Optional<Finding> begin() throws InterruptedException, Obstacle {
        try {
            take(one).release();
            return Optional.empty();
        } catch (LockRefusedException | StoreMisconfiguredException e) {
            for (Duration lease : SHORTER) {
                options = LockOptions.defaults().withLease(lease);
                if (isTaken()) {
                    return Optional.of(shorter(lease, String.valueOf(e.getMessage())));
                }
            }
            throw e; // for what no lease mends
        }
    }

    private boolean isTaken() throws InterruptedException, Obstacle {
        try {
            take(one).release();
            return true;
        } catch (LockRefusedException | StoreMisconfiguredException e) {
            return false;
        }
    }

    private static Finding shorter(Duration lease, String why) {
        return Finding.of(
                Severity.NOTE,
                "lease",
                "Locks with the lease of " + LockOptions.defaults().lease().toSeconds()
                        + " s that they have by default are refused here, and those with one of " + lease.toSeconds()
                        + " s are taken: " + sentence(why),
                "Have all who take locks here ask for a lease so short: LockOptions.defaults().withLease(Duration.ofSeconds("
                        + lease.toSeconds() + ")), or --lease " + lease.toSeconds() + "s.");
    }

    private static boolean isShown(Lease held, Belay client) {
        return client.admin().inspect(NAME).claims().stream().anyMatch(claim -> claim.token() == held.token());
    }

    private Lease take(Belay client) throws InterruptedException, Obstacle {
        Optional<Lease> taken = lock(client).tryAcquire(FIRST);
        boolean had = taken.isEmpty()
                && !answer(() -> client.admin().inspect(NAME).claims()).isEmpty();
        if (had) {
            taken = lock(client).tryAcquire(TURN);
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

    /** Hands the lock over, and again if that comes too late. Returns what to say of a store where it always did. */
    private Optional<Finding> handOver() throws InterruptedException, Obstacle {
        for (int i = 0; i < TRIES; i++) {
            if (isHandedOver()) {
                return Optional.empty();
            }
        }
        return Optional.of(slow(
                "hand-over",
                "In each of " + TRIES + " hand-overs a lock that was given back was not had by who waited for it"
                        + " within " + patience.toSeconds() + " s."));
    }

    private boolean isHandedOver() throws InterruptedException, Obstacle {
        Lease held = take(one);
        CompletableFuture<Lease> waiting = lock(other).acquireAsync();
        try {
            if (!answer(() -> isShown(held, other))) {
                throw new Obstacle(
                        "read back",
                        "A lock that is held does not show: what one client has written another does not read.",
                        "Use a store with one master, and let no proxy send reads to replicas.");
            }
            held.release();
            Lease next = waiting.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            next.release();
            if (next.token() <= held.token()) {
                throw new Obstacle(
                        "tokens",
                        "The token " + next.token() + " came after " + held.token() + ".",
                        "See whether the store was restored, or its clock set back.");
            }
            return true;
        } catch (ExecutionException | CompletionException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw new Obstacle("hand-over", "A lock was not handed over: " + why.getMessage(), "Mend that.");
        } catch (TimeoutException e) {
            var unused = waiting.thenAccept(Lease::close); // which may be had just now
            return false;
        } finally {
            waiting.cancel(false);
        }
    }

    /**
     * Has both clients take the lock and give it back as often as they can: when it is free for both, and as the next in line.
     * Returns what to say of a store that hardly answered.
     */
    private Optional<Finding> race() throws InterruptedException, Obstacle {
        Race race = new Race(patience);
        List<Thread> threads = List.of(race.by(lock(one)), race.by(lock(other)));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Obstacle found = race.obstacle.get();
        if (found != null) {
            throw found;
        }
        return race.isSilent() ? Optional.of(slow("race", race.silence())) : Optional.empty();
    }

    /** A race of clients for the lock. */
    private static final class Race {
        private final long begun = System.nanoTime();
        private final Duration patience;
        private final AtomicReference<@Nullable Obstacle> obstacle = new AtomicReference<>();
        private final AtomicReference<@Nullable Lease> present = new AtomicReference<>();
        private final Set<Long> tokens = ConcurrentHashMap.newKeySet();

        // Of the tries that wait for nobody, each for the time that a request has.
        private final AtomicInteger tries = new AtomicInteger();
        private final AtomicInteger answers = new AtomicInteger();

        /** The message to the last one that had no answer. */
        private volatile String unanswered = "";

        Race(Duration patience) {
            this.patience = patience;
        }

        Thread by(DistributedLock lock) {
            return new Thread(() -> run(lock), "belay-doctor-race");
        }

        private void run(DistributedLock lock) {
            try {
                for (int i = 0; i == 0 || goesOn(); i++) {
                    take(lock, i % 2 == 0).ifPresent(this::hold);
                }
            } catch (BelayException e) {
                obstacle.compareAndSet(
                        null,
                        new Obstacle("race", "Two clients that took turns failed: " + e.getMessage(), "Mend that."));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean goesOn() {
            Duration longest = isSilent() ? LONGEST_RACE : RACE;
            return obstacle.get() == null && System.nanoTime() - begun < longest.toNanos();
        }

        /** Returns the lease, if it was had; a try without an answer is passed over. */
        private Optional<Lease> take(DistributedLock lock, boolean atOnce) throws InterruptedException {
            int counted = atOnce ? 1 : 0;
            tries.addAndGet(counted);
            try {
                Optional<Lease> taken = atOnce ? lock.tryAcquire() : lock.tryAcquire(patience);
                answers.addAndGet(counted);
                return taken;
            } catch (StoreUnavailableException e) {
                unanswered = String.valueOf(e.getMessage());
                return Optional.empty();
            }
        }

        /** Returns whether none or next to none of the tries was answered. */
        boolean isSilent() {
            return answers.get() * 10 < tries.get();
        }

        String silence() {
            return "Two clients raced for a lock, and " + answers + " of their " + tries + " tries were answered: "
                    + sentence(unanswered);
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
            answer(() ->
                    isShown(held, other) && other.admin().forceRelease(NAME)); // not twice: another doctor may be next
            boolean heard = told.await(TURN.toMillis(), TimeUnit.MILLISECONDS);
            boolean gone = !answer(() -> isShown(held, other));
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
