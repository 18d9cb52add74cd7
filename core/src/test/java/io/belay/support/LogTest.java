package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractListAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** Whatever the appender does, who logs goes on, and what was lost is said. */
class LogTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Executor DAEMON = task -> {
        Thread thread = new Thread(task, "log-of-a-test");
        thread.setDaemon(true);
        thread.start();
    };

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);

    /** Writes nothing until it is let. */
    private final PlantedLogger stuck = new PlantedLogger(line -> {
        begun.countDown();
        free.await();
    });

    @AfterEach
    void letGo() {
        free.countDown();
    }

    private static LogQueue queue(Executor thread, PlantedLogger logger) {
        return new LogQueue(thread, Duration.ofMillis(20), logger::named);
    }

    private static Log log(PlantedLogger logger) {
        return new Log("x", queue(DAEMON, logger));
    }

    private static void awaitLines(PlantedLogger logger, String... lines) {
        await().pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(logger.lines).containsExactly(lines));
    }

    @Test
    void anAppenderThatHangsHoldsNobodyUp() throws InterruptedException {
        Log log = log(stuck);
        log.warn("one");
        begun.await();
        log.error("two of {}", 3);
        log.info("three");
        assertThat(stuck.lines).as("nobody waited for it").isEmpty();
        free.countDown();
        awaitLines(stuck, "WARN one", "ERROR two of 3", "INFO three");
    }

    @Test
    void anAppenderThatThrowsLosesItsLineAlone() {
        NoClassDefFoundError broken = new NoClassDefFoundError("org/example/Layout");
        PlantedLogger logger = new PlantedLogger(line -> {
            if (line.endsWith("bad")) {
                throw broken;
            }
        });
        Queue<Runnable> later = new ArrayDeque<>();
        Log log = new Log("x", queue(later::add, logger));
        log.warn("bad");
        log.warn("good");
        log.warn("bad");
        later.remove().run();
        assertThat(logger.lines).containsExactly("WARN good", "WARN 2 lines of Belay's were lost: the log failed");
        assertThat(logger.errors).containsExactly(broken);
    }

    @Test
    void lossesAreToldWhenTheAppenderIsWellAgain() {
        AtomicInteger attempts = new AtomicInteger();
        PlantedLogger logger = new PlantedLogger(line -> {
            if (attempts.incrementAndGet() <= 4) {
                throw new OutOfMemoryError("for a test");
            }
        });
        Log log = new Log("x", new LogQueue(Runnable::run, Duration.ZERO, logger::named));
        log.warn("lost, and so is the line that says so");
        log.warn("lost");
        log.warn("kept");
        assertThat(logger.lines).containsExactly("WARN kept", "WARN 2 lines of Belay's were lost: the log failed");
    }

    @Test
    void linesThatFindNoRoomAreCounted() throws InterruptedException {
        Log log = log(stuck);
        log.warn("first");
        begun.await();
        IntStream.range(0, LogQueue.MOST + 7).forEach(i -> log.warn("{}", i));
        free.countDown();
        AbstractListAssert<?, List<? extends String>, String, ?> lines = awaitCount(LogQueue.MOST + 2);
        lines.endsWith("WARN " + (LogQueue.MOST - 1), "WARN 7 lines of Belay's were dropped: the log takes too long");
        log.warn("there is room again");
        awaitCount(LogQueue.MOST + 3).endsWith("WARN there is room again");
    }

    private AbstractListAssert<?, List<? extends String>, String, ?> awaitCount(int lines) {
        await().pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(stuck.lines).hasSize(lines));
        return assertThat(stuck.lines);
    }

    @Test
    void whatIsDroppedIsToldAlsoWhileTheQueueNeverEmpties() {
        List<Integer> toldAfter = new ArrayList<>();
        AtomicInteger written = new AtomicInteger();
        Log[] log = new Log[1];
        PlantedLogger logger = new PlantedLogger(line -> {
            if (line.contains("dropped")) {
                toldAfter.add(written.get());
            } else if (written.incrementAndGet() < 3 * LogQueue.MOST) {
                log[0].warn("again");
                log[0].warn("again");
            }
        });
        log[0] = new Log("x", new LogQueue(Runnable::run, Duration.ZERO, logger::named));
        log[0].warn("begin");
        assertThat(toldAfter).hasSizeGreaterThan(2).first().isEqualTo(LogQueue.MOST + 1);
    }

    @Test
    void aThreadThatCannotBeStartedIsTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        PlantedLogger logger = new PlantedLogger(line -> {});
        LogQueue queue = queue(
                task -> {
                    if (attempts.incrementAndGet() < 3) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    DAEMON.execute(task);
                },
                logger);
        Log log = new Log("x", queue);
        log.warn("one");
        queue.flush(LONG);
        assertThat(attempts).hasValue(2);
        assertThat(logger.lines).isEmpty();
        log.warn("two");
        awaitLines(logger, "WARN one", "WARN two");
    }

    @Test
    void theThreadEndsWhenThereIsNothingToWriteAndComesBack() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        PlantedLogger logger = new PlantedLogger(line -> threads.add(Thread.currentThread()));
        Log log = log(logger);
        log.warn("one");
        await().until(() -> threads.size() == 1 && !threads.get(0).isAlive());
        log.warn("two");
        awaitLines(logger, "WARN one", "WARN two");
        assertThat(threads.get(1)).isNotSameAs(threads.get(0));
    }

    @Test
    void argumentsAreFormattedByTheLogsThread() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Object argument = new Object() {
            @Override
            public String toString() {
                threads.add(Thread.currentThread());
                return "a text";
            }
        };
        PlantedLogger logger = new PlantedLogger(line -> {});
        log(logger).warn("{}", argument);
        awaitLines(logger, "WARN a text");
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @Test
    void noArgumentIsRefused() {
        PlantedLogger logger = new PlantedLogger(line -> {});
        Log log = new Log("x", new LogQueue(Runnable::run, Duration.ZERO, logger::named));
        RuntimeException error = new RuntimeException("for a test");
        Object[] reused = {"kept"};
        log.warn(null);
        log.warn(null, (Object[]) null);
        log.warn("{}", (Object) null);
        log.warn("failed", error);
        log.warn("{}", reused);
        assertThat(logger.lines).containsExactly("WARN null", "WARN null", "WARN null", "WARN failed", "WARN kept");
        assertThat(logger.errors).containsExactly(error);
    }

    @Test
    void argumentsAreTakenWhenTheLineIsSaid() {
        Queue<Runnable> later = new ArrayDeque<>();
        PlantedLogger logger = new PlantedLogger(line -> {});
        Log log = new Log("x", queue(later::add, logger));
        Object[] reused = {"one"};
        log.warn("{}", reused);
        reused[0] = "two";
        later.remove().run();
        assertThat(logger.lines).containsExactly("WARN one");
    }

    @Test
    void linesForDebuggingAreQueuedOnlyWhileSomebodyWantsThem() {
        Queue<Runnable> later = new ArrayDeque<>();
        PlantedLogger logger = new PlantedLogger(line -> {});
        Log log = new Log("x", queue(later::add, logger));
        log.info("so that the logger is known");
        later.remove().run();
        log.debug("unwanted");
        assertThat(later).isEmpty();
        logger.debug = true;
        log.debug("wanted");
        later.remove().run();
        assertThat(logger.lines).containsExactly("INFO so that the logger is known", "DEBUG wanted");
    }

    @Test
    void aLoggerThatCannotBeMadeOrAskedDoesNoHarm() {
        AtomicInteger attempts = new AtomicInteger();
        PlantedLogger logger = new PlantedLogger(line -> {}) {
            @Override
            public boolean isDebugEnabled() {
                throw new NoClassDefFoundError("org/example/Filter");
            }
        };
        Log log = new Log("x", new LogQueue(Runnable::run, Duration.ZERO, name -> {
            if (attempts.getAndIncrement() < 2) {
                throw new ExceptionInInitializerError("no provider");
            }
            return logger;
        }));
        log.warn("lost");
        log.warn("kept");
        log.debug("asked for");
        assertThat(logger.lines).containsExactly("WARN kept", "WARN 1 lines of Belay's were lost: the log failed");
    }

    @Test
    void flushWaitsForWhatWasSaid() throws Exception {
        LogQueue queue = queue(DAEMON, stuck);
        Log log = new Log("x", queue);
        log.warn("one");
        begun.await();
        log.warn("two");
        CompletableFuture<List<String>> flushed = CompletableFuture.supplyAsync(() -> {
            queue.flush(LONG);
            return List.copyOf(stuck.lines);
        });
        free.countDown();
        assertThat(flushed.get()).containsExactly("WARN one", "WARN two");
    }

    @Test
    void flushEndsWithItsTimeAndKeepsAnInterrupt() throws InterruptedException {
        LogQueue queue = queue(DAEMON, stuck);
        Log log = new Log("x", queue);
        log.warn("one");
        begun.await();
        Thread.currentThread().interrupt();
        queue.flush(Duration.ofMillis(20));
        assertThat(Thread.interrupted()).isTrue();
        IntStream.range(0, LogQueue.MOST).forEach(i -> log.warn("{}", i));
        queue.flush(Duration.ofMillis(20));
        queue.flush(Duration.ZERO);
        assertThat(stuck.lines).isEmpty();
        free.countDown();
        queue.flush(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(stuck.lines).hasSize(LogQueue.MOST + 1);
    }

    @Test
    void aClientThatIsClosedWaitsAMomentForTheLastLines() throws InterruptedException {
        Belay belay = Belay.connect("memory:last-lines");
        LogQueue before = Log.through(queue(DAEMON, stuck));
        try {
            Log.of(LogName.CLIENT).warn("the last");
            begun.await();
            long begin = System.nanoTime();
            belay.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
            assertThat(stuck.lines).as("and no longer").isEmpty();
        } finally {
            Log.through(before);
        }
    }

    @Test
    void anAppenderMayLogAndInterruptItsThread() {
        Log[] log = new Log[1];
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        PlantedLogger logger = new PlantedLogger(line -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            if (line.endsWith("one")) {
                log[0].warn("two");
            }
            Thread.currentThread().interrupt();
        });
        log[0] = log(logger);
        log[0].warn("one");
        awaitLines(logger, "WARN one", "WARN two");
        log[0].warn("three");
        awaitLines(logger, "WARN one", "WARN two", "WARN three");
        assertThat(interrupted).containsExactly(false, false, false);
    }

    @Test
    void allOfTheProcessMayGoElsewhere() {
        PlantedLogger logger = new PlantedLogger(line -> {});
        Log log = Log.of(LogName.CLIENT);
        LogQueue before = Log.through(new LogQueue(Runnable::run, Duration.ZERO, logger::named));
        try {
            log.warn("here");
        } finally {
            Log.through(before);
        }
        assertThat(logger.lines).contains("WARN here");
        Log.flush(LONG);
    }

    @Test
    void whereNobodyWritesTheFirstWarningIsToldOnce() {
        PrintStream before = System.err;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try {
            // What slf4j gives where it has no provider.
            Log log = new Log("x", new LogQueue(Runnable::run, Duration.ZERO, name -> NOPLogger.NOP_LOGGER));
            log.info("idle talk");
            log.warn("lost {}", "it");
            log.error("and more");
        } finally {
            System.setErr(before);
        }
        assertThat(told.toString(StandardCharsets.UTF_8))
                .startsWith("belay: warnings are lost, as slf4j has no provider")
                .endsWith("The first is: lost it" + System.lineSeparator())
                .doesNotContain("idle talk", "and more");
    }
}
