package io.belay.walk;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The process whose walks are traced. Each walk is made once before it counts, so that no class is loaded on the way; it
 * lies between a call of {@link #begin} and one of {@link #end}, which the debugger sees.
 */
final class Walker {
    /** The thread that renews what the first client holds. */
    static final String KEEPER = "belay-keeper-one";

    private static final Duration LEASE = Duration.ofSeconds(3);

    private Walker() {}

    public static void main(String[] args) throws Exception {
        BelayOptions options = BelayOptions.defaults()
                .withSpin(Duration.ZERO)
                .withLockDefaults(LockOptions.defaults().withLease(LEASE));
        try (Belay one = Belay.connect(args[0], options.withClientName("one"));
                Belay two = Belay.connect(args[0], options.withClientName("two"))) {
            for (boolean counts : new boolean[] {false, true}) {
                Lease lease = acquireAndRelease(one, counts);
                handOver(one, two, counts);
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
        lease.release();
        end();
        return lease;
    }

    /** One client gives the lock back, and the other, which waits for it, is told by the store. */
    private static void handOver(Belay one, Belay two, boolean counts) throws Exception {
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
        while (one.inspect("y").claims().size() < 2) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        TimeUnit.MILLISECONDS.sleep(100); // it parks
        begin("push", counts);
        held.release();
        had.await();
        end();
        told.countDown();
        waiter.join();
    }

    /** The lease is renewed after a third of it; then an operator takes the lock away. */
    private static void renewAndLose(Belay one, Belay two, boolean counts) throws Exception {
        Lease held = one.lock("z").acquire();
        CountDownLatch lost = new CountDownLatch(1);
        held.onLost(loss -> lost.countDown());
        Duration before = remaining(two);
        begin("renewal", counts);
        while (remaining(two).compareTo(before) <= 0) {
            before = remaining(two);
            TimeUnit.MILLISECONDS.sleep(20);
        }
        TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() / 10); // the client takes the answer
        end();
        begin("loss", counts);
        two.forceRelease("z");
        lost.await();
        end();
    }

    /** Asks by way of the other client, as the first one would do what is due. */
    private static Duration remaining(Belay other) {
        return other.inspect("z").claims().get(0).remaining();
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
