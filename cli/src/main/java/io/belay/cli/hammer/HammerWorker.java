package io.belay.cli.hammer;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.cli.process.ErrorLog;
import io.belay.support.UrlPasswords;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The main class of a process that hammers. Its input leads the process from step to step; when that ends, it ends. */
public final class HammerWorker {
    static final String STORE = "BELAY_HAMMER_STORE";
    static final String NAME = "BELAY_HAMMER_NAME";
    static final String CLIENT = "BELAY_HAMMER_CLIENT";
    static final String THREADS = "BELAY_HAMMER_THREADS";
    static final String SECONDS = "BELAY_HAMMER_SECONDS";
    static final String LEASE = "BELAY_HAMMER_LEASE";
    static final String SLICE = "BELAY_HAMMER_SLICE";
    static final String STRICT = "BELAY_HAMMER_STRICT";

    private static final String LAST = "stop";

    private HammerWorker() {}

    public static void main(String[] args) throws InterruptedException {
        ErrorLog.use();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> fail(e));
        HammerPlan plan = new HammerPlan(
                setting(NAME),
                setting(STORE),
                1,
                Integer.parseInt(setting(THREADS)),
                Integer.parseInt(setting(SECONDS)),
                Duration.parse(setting(LEASE)),
                Duration.parse(setting(SLICE)),
                Boolean.parseBoolean(setting(STRICT)));
        BlockingQueue<String> steps = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(steps), "hammer-steps");
        reader.setDaemon(true);
        reader.start();
        try (Belay belay = Belay.connect(plan.store(), BelayOptions.defaults().withClientName(setting(CLIENT)))) {
            try {
                hammer(plan, belay.lock(plan.name(), plan.lockOptions()), steps);
            } catch (RuntimeException | Error e) { // before the client is closed, of which its threads would tell first
                fail(e);
            }
        }
    }

    /** Ends this process, whichever of its threads failed, by the line that its parent passes on. It starts no thread: none may be had. */
    private static void fail(Throwable e) {
        String name = e instanceof BelayException ? "" : e.getClass().getSimpleName() + ": ";
        say(name + UrlPasswords.mask(String.valueOf(e.getMessage())));
        Runtime.getRuntime().halt(1);
    }

    /** Reads the steps, also while one is taken. If the input ends before the last, the parent has gone, and this goes, too. */
    private static void read(BlockingQueue<String> steps) {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            for (String step = in.readLine(); step != null; step = in.readLine()) {
                steps.add(step);
                if (step.equals(LAST)) {
                    return;
                }
            }
        } catch (IOException e) {
            // As at its end.
        }
        System.exit(1);
    }

    private static void hammer(HammerPlan plan, DistributedLock lock, BlockingQueue<String> steps)
            throws InterruptedException {
        Exclusion exclusion = new Exclusion();
        List<HammerThread> threads = new ArrayList<>();
        say("connected");
        await(steps, "run");
        for (int i = 0; i < plan.threads(); i++) {
            HammerThread thread = new HammerThread(lock, exclusion, i);
            threads.add(thread);
            thread.start();
        }
        await(steps, "measure");
        long begun = System.nanoTime();
        threads.forEach(HammerThread::measure);
        TimeUnit.SECONDS.sleep(plan.seconds());
        threads.forEach(HammerThread::endMeasuring);
        double seconds = (System.nanoTime() - begun) / 1e9;
        say("result " + WorkerResult.of(threads, exclusion, seconds).print());
        await(steps, LAST);
        for (HammerThread thread : threads) {
            thread.end();
        }
    }

    private static String setting(String name) {
        return Objects.requireNonNull(System.getenv(name), name);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static void await(BlockingQueue<String> steps, String step) throws InterruptedException {
        String next = steps.take();
        if (!next.equals(step)) {
            throw new IllegalStateException(next + " instead of " + step);
        }
    }
}
