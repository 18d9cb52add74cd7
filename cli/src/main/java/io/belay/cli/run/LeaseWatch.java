package io.belay.cli.run;

import io.belay.Lease;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A thread that acts when a lease is lost, or when it could not be renewed until shortly before its end: so long the user's
 * command has to end.
 */
final class LeaseWatch extends Thread {
    private final Lease lease;
    private final long notice;
    private final Consumer<String> whenOver;
    private volatile String loss = "";
    private volatile boolean done;
    private volatile boolean over;

    /**
     * Makes one that is to be started.
     *
     * @param lease is watched
     * @param notice the time before its end at which it counts for lost
     * @param whenOver is called once, in this thread, with what has happened
     */
    LeaseWatch(Lease lease, Duration notice, Consumer<String> whenOver) {
        super("belay-lease-watch");
        this.lease = lease;
        this.notice = notice.toNanos();
        this.whenOver = whenOver;
        setDaemon(true);
    }

    @Override
    public void run() {
        lease.onLost(lost -> {
            loss = String.valueOf(lost.getMessage());
            LockSupport.unpark(this);
        });
        while (!done) {
            long left = lease.remaining().toNanos();
            if (!loss.isEmpty() || left <= notice) {
                over = true;
                whenOver.accept(what(left));
                return;
            }
            LockSupport.parkNanos(left - notice);
        }
    }

    private String what(long left) {
        return loss.isEmpty()
                ? "the lock '" + lease.name() + "' ends in " + TimeUnit.NANOSECONDS.toMillis(left)
                        + " ms: it has been held for as long as it may be, or the store does not answer"
                : loss;
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
