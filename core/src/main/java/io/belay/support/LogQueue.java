package io.belay.support;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPLogger;

/** The lines that wait to be written, and the thread that writes them: what stands behind {@link Log}. Thread-safe. */
final class LogQueue {
    /** The most lines that wait. */
    static final int MOST = 1000;

    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final @Nullable Object[] NOTHING = {};

    private final Executor thread;
    private final long idle;
    private final Function<String, Logger> source;
    /** The loggers of slf4j as far as lines were written to them: to ask for one may block. */
    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();

    private final BlockingQueue<Runnable> lines = new ArrayBlockingQueue<>(MOST);
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicBoolean silenceIsTold = new AtomicBoolean();
    private volatile @Nullable Throwable failure;

    /**
     * @param thread runs the writer, each time that one is needed; may throw anything
     * @param idle for how long the writer waits for further lines
     * @param source slf4j's loggers by their names
     */
    LogQueue(Executor thread, Duration idle, Function<String, Logger> source) {
        this.thread = thread;
        this.idle = idle.toNanos();
        this.source = source;
    }

    static LogQueue system() {
        return new LogQueue(work -> DaemonThread.start("belay-log", work), IDLE, LoggerFactory::getLogger);
    }

    void say(String logger, Level level, @Nullable String format, @Nullable Object @Nullable [] args) {
        try {
            if (level == Level.DEBUG && !isDebugged(logger)) {
                return;
            }
            @Nullable Object[] copy = args == null ? NOTHING : args.clone();
            for (int i = 0; i < copy.length; i++) {
                copy[i] = copy[i] instanceof String text ? OneLine.printable(text) : copy[i];
            }
            if (!lines.offer(() -> write(logger, level, format, copy))) {
                dropped.incrementAndGet();
            }
            start();
        } catch (Throwable e) { // no memory for a line, for instance
            dropped.incrementAndGet();
        }
    }

    private boolean isDebugged(String name) {
        try {
            Logger known = loggers.get(name);
            return known == null || known.isDebugEnabled();
        } catch (Throwable e) { // whatever the logger throws
            return false;
        }
    }

    /** Starts the writer unless it runs; returns whether it does. */
    private boolean start() {
        if (!running.get() && running.compareAndSet(false, true)) {
            try {
                thread.execute(this::run);
            } catch (Throwable e) { // no more threads, for instance: the next line tries again
                running.set(false);
                return false;
            }
        }
        return true;
    }

    private void run() {
        do {
            try {
                writeAll();
            } finally {
                running.set(false);
            }
        } while (!lines.isEmpty() && running.compareAndSet(false, true)); // came since the last look
    }

    private void writeAll() {
        int written = 0;
        for (Runnable line = next(); line != null; line = next()) {
            line.run();
            if (++written > MOST || lines.isEmpty()) {
                written = 0;
                tellLosses();
            }
        }
    }

    private @Nullable Runnable next() {
        while (idle > 0) {
            try {
                boolean unused = Thread.interrupted(); // an appender's, which would close the next one's file
                return lines.poll(idle, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                // Nobody here has a use for it.
            }
        }
        return lines.poll();
    }

    private void write(String name, Level level, @Nullable String format, @Nullable Object[] args) {
        if (!isWritten(name, level, format, args)) {
            failed.incrementAndGet();
        }
    }

    private boolean isWritten(String name, Level level, @Nullable String format, @Nullable Object... args) {
        try {
            Logger logger = loggers.computeIfAbsent(name, source);
            if (logger instanceof NOPLogger && level.toInt() >= Level.WARN.toInt()) {
                tellThatNobodyWrites(format, args);
            }
            switch (level) {
                case DEBUG -> logger.debug(format, args);
                case INFO -> logger.info(format, args);
                case WARN -> logger.warn(format, args);
                case ERROR -> logger.error(format, args);
            }
            return true;
        } catch (Throwable e) { // whatever the appender throws: an error of its own would end this thread
            failure = e;
            return false;
        }
    }

    /** Prints the first warning that slf4j has no provider for, as a lease may be lost without a word; not if that is meant. */
    private void tellThatNobodyWrites(@Nullable String format, @Nullable Object[] args) {
        if (!isSilenceMeant() && silenceIsTold.compareAndSet(false, true)) {
            System.err.println(
                    "belay: warnings are lost, as slf4j has no provider: add one, such as logback-classic, or slf4j-nop"
                            + " to be told nothing. The first is: " + MessageFormatter.basicArrayFormat(format, args));
        }
    }

    private static boolean isSilenceMeant() {
        try {
            Class.forName("org.slf4j.nop.NOPServiceProvider", false, LoggerFactory.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Logs how many lines were lost since the last time. */
    private void tellLosses() {
        tellLoss(dropped, "{} lines of Belay's were dropped: the log takes too long", null);
        tellLoss(failed, "{} lines of Belay's were lost: the log failed", failure);
    }

    private void tellLoss(AtomicLong lost, String text, @Nullable Throwable why) {
        long number = lost.getAndSet(0);
        if (number > 0 && !isWritten(LogName.CLIENT.text(), Level.WARN, text, number, why)) {
            lost.addAndGet(number);
        }
    }

    /** Waits until all lines are written that were said before. */
    void flush(Duration most) {
        if (lines.isEmpty() && !running.get()) {
            return;
        }
        CountDownLatch written = new CountDownLatch(1);
        Runnable mark = () -> {
            tellLosses();
            written.countDown();
        };
        long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(most);
        boolean queued = false;
        boolean waiting = start();
        boolean interrupted = false;
        while (waiting) {
            try {
                queued = queued || lines.offer(mark, end - System.nanoTime(), TimeUnit.NANOSECONDS);
                boolean unused = queued && start() && written.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                waiting = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
