package io.belay.tck;

import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.Optional;

/**
 * What a test takes for granted of the machine, not of the store: that a client which lives is run often enough to renew
 * its lease, and to pick up what it is granted. Where the machine took that away, {@link Again} begins the test again with
 * a longer lease, some times; then it fails.
 *
 * <p>That the machine did so is measured: a store that loses leases is found out at once on one that is quick. Nor is the
 * machine an excuse for what comes sooner than it could do any harm.
 */
final class Premise implements AutoCloseable {
    /** The last attempt has no excuse. */
    private static final int ATTEMPTS = 5;

    /**
     * The shortest stall that is an excuse; on a quiet machine there is none that long. It is far from what a lease has room
     * for, as a thread that only sleeps is woken before those that compute: a process that has just begun, and loads its
     * classes, stands still for many times as long as this one sees.
     */
    private static final Duration STALL = Duration.ofMillis(5);

    /** An answer of a store that is not run in time. */
    private static final Duration LATE_ANSWER = Duration.ofMillis(20);

    private static final int QUESTIONS = 20;

    /** Who waits for a store waits longer than this: nothing that comes sooner is late. */
    private static final Duration AT_ONCE = Duration.ofMillis(300);

    private static final Duration PICK_UP = Duration.ofNanos(Resource.PICK_UP * 1_000);

    /** The machine has taken a premise away. */
    static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Gone(String what) {
            super(what);
        }
    }

    private final Lag lag = new Lag();
    private final int attempt;
    private final Runnable question;
    private final Duration lease;
    private volatile long begun = System.nanoTime();
    private volatile boolean hasBegun;

    /**
     * Opens it for an attempt.
     *
     * @param attempt the number of the attempt, from 1 on
     * @param longestLease the longest lease that the store has
     * @param question asks the store for something, and waits for the answer
     */
    Premise(int attempt, Duration longestLease, Runnable question) {
        this.attempt = attempt;
        this.question = question;
        Duration wanted = Pace.HERE.lease().multipliedBy(1L << (attempt - 1));
        lease = wanted.compareTo(longestLease) < 0 ? wanted : longestLease;
    }

    /** Returns a brief lease that the machine should give a client the time to renew; a longer one in each attempt. */
    Duration lease() {
        return lease;
    }

    /** Says that all clients are there: none has had a lease before. */
    void begins() {
        begun = System.nanoTime();
        hasBegun = true;
    }

    /** Returns an instant before all that the clients have had, as a {@link System#nanoTime()}. */
    long begun() {
        return begun;
    }

    /** Returns whether a lease that began after that instant, or a grant that nobody picked up, may be over. */
    boolean mayBeOver(long since) {
        Duration soonest = lease.compareTo(PICK_UP) < 0 ? lease : PICK_UP;
        return System.nanoTime() - since >= soonest.toNanos();
    }

    /** Returns whether so much time has passed since that instant that a store which says nothing may be late. */
    boolean mayBeLate(long since) {
        return System.nanoTime() - since >= AT_ONCE.toNanos();
    }

    /** Says that a client still holds the lease, as is promised of one that is run in time. */
    void holds(Lease held) {
        holds(held.isHeld(), "a lease that its client keeps is held");
    }

    /**
     * Says that what is promised of clients that are run in time holds.
     *
     * @throws AssertionError if it does not, and the machine is no excuse
     */
    void holds(boolean holds, String what) {
        if (!holds) {
            throw gone(what).orElseThrow(() -> new AssertionError(text(what)));
        }
    }

    /**
     * Says that something has come about that nobody promises: that the store has answered, say. What kept it may be over
     * the next time; but it is not kept each time.
     */
    void happens(boolean happened, String what) {
        if (!happened && attempt < ATTEMPTS) {
            throw new Gone(text(what));
        } else if (!happened) {
            throw new AssertionError(text(what));
        }
    }

    /** Returns that the machine has kept the store from answering in time, unless it is no excuse. */
    Optional<Gone> unanswered() {
        return hasBegun && !mayBeLate(begun) ? Optional.empty() : gone("the store answers in time");
    }

    /** Returns that the machine has taken this away, unless it is no excuse. */
    Optional<Gone> gone(String what) {
        boolean excused = attempt < ATTEMPTS && (lag.longest().compareTo(STALL) >= 0 || storeStandsStill());
        return excused ? Optional.of(new Gone(text(what))) : Optional.empty();
    }

    /** Returns whether the store's process is not run in time: it is one of this machine, too. */
    private boolean storeStandsStill() {
        try {
            for (int i = 0; i < QUESTIONS; i++) {
                long from = System.nanoTime();
                question.run();
                if (System.nanoTime() - from > LATE_ANSWER.toNanos()) {
                    return true;
                }
            }
            return false;
        } catch (StoreUnavailableException e) {
            return true;
        }
    }

    private String text(String what) {
        return String.format(
                "not so, with leases of %s, while this machine stood still for up to %s: %s",
                lease, lag.longest(), what);
    }

    @Override
    public void close() {
        lag.close();
    }
}
