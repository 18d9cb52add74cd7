package io.belay.trials.client;

import io.belay.StoreUnavailableException;
import io.belay.trials.history.HistoryFile;
import io.belay.trials.history.Watch;
import io.belay.trials.library.Libraries;
import io.belay.trials.library.Library;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The entry point of a client process. It works until its input ends, then ends in good order. */
public final class ClientMain {
    /** The line that a client process prints when its threads begin. */
    public static final String READY = "ready";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** The longest that the closing of all may take, in sleeps: those of a machine that stands still last longer. */
    private static final int CLOSING_SLEEPS = 2_000;

    private static final int SLEEP_MILLIS = 10;
    /** Stands for the thread that closes all at the end. */
    private static final int CLOSING = -1;

    private static final int ATTEMPTS = 50;
    private static final long ATTEMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static volatile boolean over;

    private ClientMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, SQLException {
        Settings settings = Settings.of(arguments);
        HistoryFile file = new HistoryFile(settings.directory(), settings.process());
        Watch watch = Watch.start(file, settings.process());
        Library library = open(settings);
        Recorder recorder =
                new Recorder(library, file, settings.process(), Holder.open(settings.directory(), settings.index()));
        List<Workload> workloads = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Workloads.threads(settings.workload()); i++) {
            workloads.add(Workloads.of(settings, recorder, () -> open(settings)));
        }
        for (int i = 0; i < workloads.size(); i++) {
            Workload workload = workloads.get(i);
            Random random = new Random(settings.seed() * 31 + i);
            int number = i;
            Thread thread = new Thread(
                    () -> {
                        if (!work(workload, recorder, number, random)) {
                            System.exit(1);
                        }
                    },
                    "worker-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        System.out.println(READY);
        awaitEnd();
        over = true;
        end(threads, recorder);
        List<AutoCloseable> all = new ArrayList<>(workloads);
        all.add(library);
        close(all, recorder, CLOSING_SLEEPS);
        watch.close();
        file.close();
        System.exit(0);
    }

    private static Library open(Settings settings) {
        return insist(
                settings.library(),
                () -> Libraries.open(
                        settings.library(), settings.url(), settings.lease(), settings.process(), settings.plant()));
    }

    /** Opens a library, again and again if the store does not answer, as it may be struck just now: Belay says nothing else of that. */
    static Library insist(String library, Supplier<Library> opening) {
        for (int attempt = 0; ; attempt++) {
            try {
                return opening.get();
            } catch (RuntimeException e) {
                boolean mayBe = e instanceof StoreUnavailableException || !library.equals(Libraries.BELAY);
                if (attempt == ATTEMPTS || !mayBe) {
                    throw e;
                }
                LockSupport.parkNanos(ATTEMPT_NANOS);
            }
        }
    }

    /** Takes turns until it is over; returns false if one of them failed, which is written down. */
    static boolean work(Workload workload, Recorder recorder, int thread, Random random) {
        try {
            while (!over) {
                workload.turn(thread, random);
            }
            return true;
        } catch (Throwable e) {
            // Also what is no exception: a thread that went without a word would leave a trial in which less is tried.
            recorder.defect(thread, e);
            return false;
        }
    }

    /** Waits until the parent closes the input, when it is time, or when it dies. */
    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // What comes does not matter.
        }
    }

    private static void end(List<Thread> threads, Recorder recorder) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (int i = 0; i < threads.size(); i++) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            threads.get(i).join(Math.max(1, left));
            if (threads.get(i).isAlive()) {
                recorder.stuck(i, "-");
            }
        }
    }

    /**
     * Closes all, one after the other, and writes down what is thrown, and whether it takes longer than so many sleeps: nothing else
     * tells of it.
     */
    static void close(List<AutoCloseable> all, Recorder recorder, int sleeps) throws InterruptedException {
        Thread thread = new Thread(() -> all.forEach(one -> close(one, recorder)), "close");
        thread.setDaemon(true);
        thread.start();
        for (int i = 0; i < sleeps && thread.isAlive(); i++) {
            thread.join(SLEEP_MILLIS);
        }
        if (thread.isAlive()) {
            recorder.stuck(CLOSING, "close");
            Stream.of(thread.getStackTrace()).forEach(System.err::println);
        }
    }

    private static void close(AutoCloseable one, Recorder recorder) {
        try {
            one.close();
        } catch (Throwable e) {
            recorder.defect(CLOSING, e);
        }
    }
}
