package io.belay.redis;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A process with a bad log or a bad clock: does what its first argument says, and answers each line of its input. */
final class TroubledProcess {
    private static final int THREADS = 4;

    private TroubledProcess() {}

    public static void main(String[] args) throws Exception {
        PrintStream told = System.out;
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
        Duration lease = Duration.ofMillis(Long.parseLong(args[2]));
        BelayOptions options =
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(lease));
        try (Belay belay = Belay.connect(args[1], options)) {
            switch (args[0]) {
                case "bad-log" -> badLog(belay, told, questions);
                case "contend" -> contend(belay, told, questions);
                case "fixed" -> fixed(belay, lease, told, questions);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    /** All that is logged ends in an Error, as of a class that an appender lacks. */
    private static void badLog(Belay belay, PrintStream told, BufferedReader questions) throws Exception {
        AtomicInteger lost = new AtomicInteger();
        Lease kept = belay.lock("kept").acquire();
        Lease taken = belay.lock("taken").acquire();
        kept.onLost(loss -> lost.incrementAndGet());
        taken.onLost(loss -> lost.incrementAndGet());
        System.setErr(new PrintStream(new OutputStream() {
            @Override
            public void write(int one) {
                throw new NoClassDefFoundError("the appender's, thrown by the test");
            }
        }));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            told.println(kept.isHeld() + " " + lost.get());
        }
    }

    /** Threads take turns; the answer is how often one had its turn. */
    private static void contend(Belay belay, PrintStream told, BufferedReader questions) throws Exception {
        AtomicLong turns = new AtomicLong();
        CountDownLatch over = new CountDownLatch(1);
        DistributedLock lock = belay.lock("x");
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                try {
                    while (over.getCount() > 0) {
                        lock.run(turns::incrementAndGet);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            told.println(turns.get());
        }
        over.countDown();
    }

    /** A fixed lease is held; the answer is whether it still is, and for how long. */
    private static void fixed(Belay belay, Duration lease, PrintStream told, BufferedReader questions)
            throws Exception {
        Lease held =
                belay.lock("x", LockOptions.defaults().withFixedLease(lease)).acquire();
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            boolean holds = held.isHeld();
            told.println(holds + " " + held.remaining().toMillis());
        }
    }
}
