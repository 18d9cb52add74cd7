package io.belay.walk;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The process whose walks are traced. Each walk is made once before it counts, so that no class is loaded on the way; it
 * lies between a call of {@link #begin} and one of {@link #end}, which the debugger sees.
 */
final class Walker {
    /** The thread that renews what the first client holds. */
    static final String KEEPER = "belay-keeper-one";

    /** A client that waits asks so often, and is then told by an answer, not by a push. */
    private static final Duration ASKS = Duration.ofSeconds(2);

    /** A step that the debugger sees may take this long on a busy machine, and is no answer that is missing. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(1);

    /** The exit code where a lease had ended before its walk had. */
    static final int LATE = 3;

    /** A longer lease is of no use to a hand-over that took longer than {@link #ASKS}: that alone is made again. */
    private static final int HAND_OVERS = 10;

    private static Duration leaseTime = Duration.ZERO;
    private static int slowHandOvers;

    private Walker() {}

    /** Takes the store's URL, the lease in milliseconds, and how many hand-overs are to take too long before one does not. */
    public static void main(String[] args) throws Exception {
        leaseTime = Duration.ofMillis(Long.parseLong(args[1]));
        slowHandOvers = Integer.parseInt(args[2]);
        BelayOptions options = BelayOptions.defaults()
                .withSpin(Duration.ZERO)
                .withRequestTimeout(LONGEST_STEP)
                .withLockDefaults(LockOptions.defaults().withLease(leaseTime));
        try (Belay one = Belay.connect(args[0], options.withClientName("one"));
                Belay two = Belay.connect(args[0], options.withClientName("two"))) {
            for (boolean counts : new boolean[] {false, true}) {
                Lease lease = acquireAndRelease(one, counts);
                boolean inTime = false;
                for (int i = 0; i < HAND_OVERS && !inTime; i++) {
                    inTime = handOver(one, two, counts, i < slowHandOvers);
                }
                inTime(inTime);
                renewAndLose(one, two, counts);
                if (lease.isHeld()) {
                    throw new IllegalStateException("it was released");
                }
            }
        }
    }

    private static Lease acquireAndRelease(Belay one, boolean counts) throws InterruptedException {
        begin("acquire", counts);
        Lease lease = one.lock("x").acquire();
        end();
        begin("release", counts);
        ReleaseOutcome released = lease.release();
        end();
        inTime(released == ReleaseOutcome.RELEASED);
        return lease;
    }

    /**
     * One client gives the lock back, and the other, which waits for it, is told by the store; returns whether it cannot have
     * asked meanwhile.
     */
    private static boolean handOver(Belay one, Belay two, boolean counts, boolean slow) throws Exception {
        long begun = System.nanoTime();
        Lease held = one.lock("y").acquire();
        CountDownLatch had = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        Thread waiter = new Thread(
                () -> {
                    try {
                        Lease next = two.lock("y").acquire();
                        had.countDown();
                        told.await();
                        next.release();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                "waiter");
        waiter.start();
        while (one.admin().inspect("y").claims().size() < 2) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        while (waiter.getState() != Thread.State.WAITING) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        begin("push", counts);
        ReleaseOutcome released = held.release();
        had.await();
        if (slow) {
            TimeUnit.MILLISECONDS.sleep(ASKS.toMillis()); // as a busy machine does
        }
        end();
        long took = System.nanoTime() - begun;
        inTime(released == ReleaseOutcome.RELEASED);
        told.countDown();
        waiter.join();
        return took < ASKS.toNanos() && took < leaseTime.toNanos() / 3;
    }

    /** The lease is renewed after a third of it; then an operator takes the lock away. */
    private static void renewAndLose(Belay one, Belay two, boolean counts) throws Exception {
        Lease held = one.lock("z").acquire();
        CountDownLatch lost = new CountDownLatch(1);
        held.onLost(loss -> lost.countDown());
        Duration before = remaining(two);
        TimeUnit.MILLISECONDS.sleep(leaseTime.toMillis() / 4); // what is seen by the debugger takes its time
        begin("renewal", counts);
        while (remaining(two).compareTo(before) <= 0) {
            before = remaining(two);
            TimeUnit.MILLISECONDS.sleep(20);
        }
        TimeUnit.MILLISECONDS.sleep(leaseTime.toMillis() / 10); // the client takes the answer
        end();
        begin("loss", counts);
        boolean taken = two.admin().forceRelease("z");
        lost.await();
        end();
        inTime(taken);
    }

    /** Asks by way of the other client, as the first one would do what is due. */
    private static Duration remaining(Belay other) {
        List<Inspection.Claim> claims = other.admin().inspect("z").claims();
        inTime(!claims.isEmpty());
        return claims.get(0).remaining();
    }

    /** Ends this process if a lease was over too early: the debugger and the machine have taken longer than that. */
    private static void inTime(boolean held) {
        if (!held) {
            System.exit(LATE);
        }
    }

    /** Begins a walk, which is recorded if it counts. */
    private static void begin(String walk, boolean counts) {
        if (counts) {
            record(walk);
        }
    }

    /** A place for the debugger to see that a walk begins. */
    private static void record(String walk) {}

    /** A place for the debugger to see that it has ended. */
    private static void end() {}
}
