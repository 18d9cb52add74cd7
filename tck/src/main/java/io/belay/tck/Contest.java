package io.belay.tck;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Two clients that ask for one lock at the same instant, round after round, and watch each other by
 * {@link SharedNumbers} that no store has to do with: so they find out a store in which one client reads what the
 * other is about to write. One leads, the other follows in a thread or a process of its own.
 */
final class Contest {
    /** How often both are to have asked at once; on a busy machine they take turns to run. */
    static final String ENOUGH = "belay.contest";

    private static final int USUALLY = 400;

    /** With less than this part of it nothing was shown. */
    private static final int LEAST_PART = 40;

    /** The longest time that the contest goes on to reach that number, for each. */
    private static final long LONGEST_NANOS = 12_500_000;

    /** The most rounds, for each: a lock name that is used in one round only stays in some stores for a while. */
    private static final int ROUNDS = 5;

    /** The time for which it goes on beyond that to reach the least, in any number of rounds. */
    private static final int LONGER = 4;

    /** The time until a round begins: both have looked by then, and wait for the instant without a pause. */
    private static final long AHEAD_NANOS = 200_000;

    private static final long WARM_UP_NANOS = 200_000_000;

    private static final long PAUSE_NANOS = 20_000;

    private static final long OVER = Long.MAX_VALUE;

    /** The longest that one waits for the other, which may be a process that has just begun. */
    private static final Duration PATIENCE = Pace.HERE.patience().multipliedBy(3);

    /** The longest round that is judged: on a machine that runs nobody for seconds, leases may have ended. */
    private static final long TIMELY_NANOS = Duration.ofSeconds(2).toNanos();

    /** The time that a holder stays, so that another one can be seen beside it. */
    private static final long STAY_NANOS = 200_000;

    // The numbers.
    private static final int ROUND = 0;
    private static final int ARRIVED = 1;
    static final int TRIED = 2;
    private static final int GRANTED = 3;
    private static final int INSIDE = 4;
    private static final int TOKEN = 5;
    private static final int HELD = 6;
    private static final int TOGETHER = 7;
    private static final int DISORDERED = 8;
    private static final int LOST = 9;
    private static final int FAILED = 10;
    private static final int START = 11;
    private static final int ASKING = 12;
    private static final int MET = 13;

    /** The way in which both clients ask for the lock in each round. */
    enum Kind {
        /** Tries once, without a wait; a client that is refused is not let in later. */
        TRY {
            @Override
            void play(Contest contest, DistributedLock lock, long round) {
                contest.tryOnce(lock, round);
            }
        },
        /** Waits, each client for its turn. */
        QUEUE {
            @Override
            void play(Contest contest, DistributedLock lock, long round) throws InterruptedException {
                contest.takeTurn(lock);
            }
        };

        abstract void play(Contest contest, DistributedLock lock, long round) throws InterruptedException;
    }

    /**
     * The counts of what both clients saw.
     *
     * @param held how often the lock was held
     * @param met how often one asked while the other did
     * @param least how often that is to be, so that something was shown
     * @param together how often more than one held it
     * @param disordered how often a token was not above that of the holder before
     * @param lost how often a lease was found to be lost, though nobody took the lock away and the lease was long
     */
    record Outcome(long held, long met, int least, long together, long disordered, long lost) {
        boolean isFoul() {
            return together > 0 || disordered > 0 || lost > 0;
        }

        boolean isFair() {
            return held > 0 && !isFoul();
        }

        boolean isContest() {
            return met >= least;
        }
    }

    private final SharedNumbers numbers;
    private final Kind kind;
    private final int enough;

    /** Makes one of this file, which is empty or not there, or that of the other client. */
    Contest(Path file, Kind kind) throws IOException {
        this(file, kind, Integer.getInteger(ENOUGH, USUALLY));
    }

    Contest(Path file, Kind kind, int enough) throws IOException {
        numbers = new SharedNumbers(file);
        this.kind = kind;
        this.enough = enough;
    }

    /** Says when each round begins and takes part in it, until the time is over or something was wrong. */
    Outcome lead(Belay belay) throws InterruptedException {
        try {
            warmUp(belay, "the leader's");
            long begun = 0;
            for (long round = 1; ; round++) {
                await(ARRIVED, round);
                begun = round == 1 ? System.nanoTime() : begun;
                if (isOver(round, System.nanoTime() - begun)) {
                    break;
                }
                numbers.set(GRANTED, 0);
                numbers.set(TOKEN, 0);
                numbers.set(START, System.nanoTime() + AHEAD_NANOS);
                numbers.set(ROUND, round);
                play(belay, round);
            }
            numbers.set(ROUND, OVER);
            return outcome();
        } catch (Throwable e) {
            numbers.set(FAILED, 1);
            throw e;
        }
    }

    private boolean isOver(long round, long time) {
        Outcome soFar = outcome();
        boolean isLong = time > LONGEST_NANOS * enough || round > (long) ROUNDS * enough;
        return soFar.isFoul()
                || soFar.met >= enough
                || (isLong && soFar.isContest())
                || time > LONGEST_NANOS * enough * LONGER;
    }

    /** Takes part in each round that the leader begins, until it begins no more. */
    void follow(Belay belay) throws InterruptedException {
        try {
            warmUp(belay, "the follower's");
            for (long round = 1; ; round++) {
                numbers.getAndAdd(ARRIVED, 1);
                await(ROUND, round);
                if (numbers.get(ROUND) == OVER) {
                    return;
                }
                play(belay, round);
            }
        } catch (Throwable e) {
            numbers.set(FAILED, 1);
            throw e;
        }
    }

    /** Warms the client up: a program that has just begun is slow, and not where the other is at the same time. */
    private static void warmUp(Belay belay, String own) throws InterruptedException {
        long until = System.nanoTime() + WARM_UP_NANOS;
        while (System.nanoTime() - until < 0) {
            belay.lock(own).acquire().release();
        }
    }

    /** Plays a round: an even one on one lock, an odd one on a fresh one, which a store may write otherwise. */
    private void play(Belay belay, long round) throws InterruptedException {
        DistributedLock lock = belay.lock(round % 2 == 0 ? "contested" : "contested" + round);
        long from = System.nanoTime();
        long until = numbers.get(START); // processes of one machine have one clock; if not, they begin at once
        while (System.nanoTime() - until < 0 && System.nanoTime() - from < AHEAD_NANOS) {
            Thread.onSpinWait();
        }
        kind.play(this, lock, round);
    }

    private void tryOnce(DistributedLock lock, long round) {
        asks();
        Optional<Lease> lease = tryAcquire(lock);
        numbers.getAndAdd(ASKING, -1);
        if (lease.isPresent()) {
            numbers.getAndAdd(HELD, 1);
            if (numbers.getAndAdd(GRANTED, 1) > 0) {
                count(TOGETHER);
            }
        }
        numbers.getAndAdd(TRIED, 1);
        await(TRIED, 2 * round); // nobody gives it back before both were told
        lease.ifPresent(this::release);
    }

    /** Tries the lock. A store that does not answer in time, on a busy machine, has not let anybody in. */
    private static Optional<Lease> tryAcquire(DistributedLock lock) {
        try {
            return lock.tryAcquire();
        } catch (StoreUnavailableException e) {
            return Optional.empty();
        }
    }

    private void asks() {
        if (numbers.getAndAdd(ASKING, 1) > 0) {
            numbers.getAndAdd(MET, 1);
        }
    }

    private void takeTurn(DistributedLock lock) throws InterruptedException {
        asks();
        Lease lease = lock.tryAcquire(PATIENCE)
                .orElseThrow(() -> new IllegalStateException("a lock that is given back at once was not had"));
        numbers.getAndAdd(ASKING, -1);
        numbers.getAndAdd(HELD, 1);
        if (numbers.getAndAdd(INSIDE, 1) > 0) {
            count(TOGETHER);
        }
        if (numbers.getAndSet(TOKEN, lease.token()) >= lease.token()) {
            count(DISORDERED);
        }
        LockSupport.parkNanos(STAY_NANOS);
        numbers.getAndAdd(INSIDE, -1);
        release(lease);
    }

    private void release(Lease lease) {
        if (lease.release() == ReleaseOutcome.ALREADY_LOST) {
            count(LOST);
        }
    }

    private void count(int fault) {
        if (System.nanoTime() - numbers.get(START) < TIMELY_NANOS) {
            numbers.getAndAdd(fault, 1);
        }
    }

    private void await(int index, long least) {
        long from = System.nanoTime();
        while (numbers.get(index) < least) {
            if (numbers.get(FAILED) != 0) {
                throw new IllegalStateException("the other client has failed; its own error says why");
            } else if (System.nanoTime() - from > PATIENCE.toNanos()) {
                throw new IllegalStateException("the other client has not come so far in time");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private Outcome outcome() {
        return new Outcome(
                numbers.get(HELD),
                numbers.get(MET),
                Math.max(1, enough / LEAST_PART),
                numbers.get(TOGETHER),
                numbers.get(DISORDERED),
                numbers.get(LOST));
    }
}
