package io.belay.file;

import io.belay.Belay;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.servers.ChildJvm;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of its own whose threads take a lock over and over, for tests that stop and kill it. It writes its figures
 * into a file that the test reads at any time: how often each process had the lock, the highest token that anybody
 * held, and how often somebody was told "held" though a later holder had been there.
 */
final class LockProcess {
    static final String LOCK = "contended";

    /** The words of the file: violations, losses, the highest token, then a count for each process. */
    static final int VIOLATIONS = 0;

    static final int LOSSES = 1;
    static final int HIGHEST_TOKEN = 2;
    static final int COUNTS = 8;
    private static final int WORDS = 64;

    private LockProcess() {}

    static ChildJvm start(Path directory, Path figures, int number, Duration lease) throws IOException {
        ChildJvm started = ChildJvm.start(
                LockProcess.class,
                directory.toString(),
                figures.toString(),
                Integer.toString(number),
                lease.toString());
        if (!"ready".equals(started.line())) {
            throw new IOException("the process did not start");
        }
        return started;
    }

    static LongBuffer map(Path figures) throws IOException {
        try (FileChannel channel = FileChannel.open(
                figures, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, WORDS * 8L).asLongBuffer();
        }
    }

    public static void main(String[] arguments) throws Exception {
        LongBuffer figures = map(Path.of(arguments[1]));
        int number = Integer.parseInt(arguments[2]);
        LockOptions options = LockOptions.defaults().withLease(Duration.parse(arguments[3]));
        try (Belay belay = Belay.connect("file:" + arguments[0])) {
            DistributedLock lock = belay.lock(LOCK, options);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> work(lock, figures, number));
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
            System.out.println("ready");
            System.in.readAllBytes();
        }
    }

    /** Only holders write to the figures, so that plain reads and writes do; what a lost holder writes late is no harm. */
    private static void work(DistributedLock lock, LongBuffer figures, int number) {
        try {
            while (true) {
                Lease lease = lock.acquire();
                check(lease, figures);
                Thread.onSpinWait();
                figures.put(COUNTS + number, figures.get(COUNTS + number) + 1);
                check(lease, figures);
                if (lease.release() != ReleaseOutcome.RELEASED) {
                    figures.put(LOSSES, figures.get(LOSSES) + 1);
                }
            }
        } catch (ClientClosedException e) {
            // The test is over.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whoever sees the trace of a later holder must be told that his own lease is lost. */
    private static void check(Lease lease, LongBuffer figures) {
        long highest = figures.get(HIGHEST_TOKEN);
        VarHandle.fullFence();
        boolean held = lease.isHeld();
        if (highest > lease.token() && held) {
            figures.put(VIOLATIONS, figures.get(VIOLATIONS) + 1);
        } else if (held) {
            figures.put(HIGHEST_TOKEN, Math.max(highest, lease.token()));
        }
    }
}
