package io.belay.trials.jsr166;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A run of a {@link TestProcess}, which is ended where a test does not end. */
final class TestRun {
    /** The longest time without news: a wait in a test ends after twenty seconds, and few tests have more than two. */
    private static final Duration SILENCE = Duration.ofSeconds(90);

    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final Duration TICK = Duration.ofSeconds(10);
    private static final int NATIVE_ACCESS_WARNS = 24;
    private static final String GONE = "gone";

    private final JdkTest test;
    private final List<Outcome> outcomes = new ArrayList<>();
    private @Nullable String running;

    private TestRun(JdkTest test) {
        this.test = test;
    }

    /** Runs the methods, all if none is named, and returns their outcomes. Whatever they print goes to the log. */
    static List<Outcome> of(
            JdkTest test, Setting setting, String url, Path classes, Collection<String> methods, Path log)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dlogback.configurationFile=io/belay/trials/log.xml"));
        if (Runtime.version().feature() >= NATIVE_ACCESS_WARNS) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(
                List.of(TestProcess.class.getName(), url, setting.way().title(), test.title(), classes.toString()));
        command.addAll(methods);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        TestRun run = new TestRun(test);
        Process process = builder.start();
        try {
            run.follow(process);
        } finally {
            process.destroyForcibly().waitFor();
        }
        return run.outcomes;
    }

    private void follow(Process process) throws InterruptedException {
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        BufferedReader from = process.inputReader();
        Thread reader = new Thread(() -> read(from, said), "jsr166-reader");
        reader.setDaemon(true);
        reader.start();
        long end = System.nanoTime() + LONGEST.toNanos();
        long silentUntil = System.nanoTime() + SILENCE.toNanos();
        while (true) {
            String line = said.poll(TICK.toNanos(), TimeUnit.NANOSECONDS);
            long now = System.nanoTime();
            if (line == null) {
                System.err.println("    " + outcomes.size() + " tests have ended, " + running + " runs");
            } else if (line.equals(GONE)) {
                ended(process.waitFor());
                return;
            } else {
                heard(line);
                silentUntil = now + SILENCE.toNanos();
            }
            if (now - end > 0 || now - silentUntil > 0) {
                failed("did not end; what comes after it was not run");
                return;
            }
        }
    }

    private void ended(int code) {
        if (code != 0 || running != null) {
            failed("the process ended with " + code);
        } else if (outcomes.isEmpty()) {
            failed("there is no such test");
        }
    }

    private static void read(BufferedReader from, BlockingQueue<String> said) {
        try {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                said.add(line);
            }
        } catch (IOException | UncheckedIOException e) {
            // It was ended.
        }
        said.add(GONE);
    }

    private void heard(String line) {
        if (line.startsWith(TestProcess.BEGIN)) {
            running = line.substring(TestProcess.BEGIN.length());
        } else if (line.startsWith(TestProcess.END)) {
            outcomes.add(Outcome.of(test, line.substring(TestProcess.END.length())));
            running = null;
        }
    }

    private void failed(String message) {
        outcomes.add(new Outcome(test, running == null ? "(the process)" : running, false, 0, message));
    }
}
