package io.belay.cli.run;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LossReason;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that acts when a lease is lost, or when it could not be renewed until shortly before its end: so long the user's
 * command has to end.
 */
final class LeaseWatch extends Thread {
    /** So often in a lease it looks whether that was renewed. */
    private static final int LOOKS = 10;

    /** A lease that ends so near to the end of the longest hold ends because of that: the two are not measured by one clock. */
    private static final Duration NEAR = Duration.ofSeconds(1);

    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(5);

    private final Lease lease;
    private final Duration grace;
    private final Duration killing;
    private final long longest;
    private final Listener listener;
    private volatile @Nullable LeaseLostException loss;
    private volatile String cut = "";
    private volatile boolean done;
    private volatile boolean over;
    /**
     * When the command has to be gone unless the lease is renewed, in hundredths of a second of {@link Uptime}; before the first look
     * nobody knows: one that is lost by then is told.
     */
    private long end = Long.MAX_VALUE;

    /** Who is told, in the thread of the watch. */
    interface Listener {
        /** Tells, now and then, that the command has to be gone after so long unless the lease is renewed. */
        void runsFor(Duration time);

        /**
         * Tells once that the lease is over.
         *
         * @param what what has happened
         * @param grace the time from SIGTERM to SIGKILL
         */
        void over(String what, Duration grace);

        /** Tells once that the command cannot be waited for any longer. */
        void cut(String what, Duration grace);
    }

    /**
     * Makes one that is to be started.
     *
     * @param lease is watched
     * @param grace the time that the command has to end
     * @param killing the time before the lease's end at which that is over
     * @param longest when it has been held for as long as it may be, a {@link System#nanoTime()}
     */
    LeaseWatch(Lease lease, Duration grace, Duration killing, long longest, Listener listener) {
        super("belay-lease-watch");
        this.lease = lease;
        this.grace = grace;
        this.killing = killing;
        this.longest = longest;
        this.listener = listener;
        setDaemon(true);
    }

    @Override
    public void run() {
        lease.onLost(lost -> {
            loss = lost;
            LockSupport.unpark(this);
        });
        while (!done && cut.isEmpty()) {
            Duration left = lease.remaining().minus(killing);
            LeaseLostException lost = loss;
            if (over) {
                LockSupport.park(this); // the command goes on without it
            } else if (lost == null && !lease.isHeld() && Uptime.hundredths() < end) {
                LockSupport.parkNanos(this, MOMENT); // it was taken away, as somebody is about to tell
            } else if (lost != null) {
                over = true;
                listener.over(String.valueOf(lost.getMessage()), isEarly(lost) ? grace : Duration.ZERO);
            } else if (left.compareTo(grace) <= 0) {
                over = true;
                listener.over(
                        "the lock '" + lease.name() + "' ends in "
                                + left.plus(killing).toMillis()
                                + " ms: " + why(left.plus(killing)),
                        left.isNegative() ? Duration.ZERO : left);
            } else {
                end = Uptime.hundredths() + left.toMillis() / 10;
                listener.runsFor(left);
                long look = left.toNanos() / LOOKS;
                LockSupport.parkNanos(this, Math.min(look, left.minus(grace).toNanos()));
            }
        }
        if (!done) {
            listener.cut(cut, grace);
        }
    }

    /** Returns why a lease is not renewed any more, of which so much is left. */
    private String why(Duration left) {
        return longest - System.nanoTime() <= left.plus(NEAR).toNanos()
                ? "it has been held for as long as --max-hold says"
                : "it could not be renewed, as the store does not answer, or refuses";
    }

    /** Returns whether a lease was taken away before its time, as nobody can have planned; else its time is over already. */
    private static boolean isEarly(LeaseLostException lost) {
        return lost.reason()
                .filter(reason -> reason == LossReason.FORCED || reason == LossReason.FORGOTTEN)
                .isPresent();
    }

    /** Tells that the command cannot be waited for any longer. */
    void cut(String what) {
        cut = what;
        LockSupport.unpark(this);
    }

    /** Ends the watch, and returns whether the lease was over; waits for what is done then. */
    boolean finish() {
        done = true;
        LockSupport.unpark(this);
        boolean interrupted = false;
        while (isAlive()) {
            try {
                join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return over;
    }
}
