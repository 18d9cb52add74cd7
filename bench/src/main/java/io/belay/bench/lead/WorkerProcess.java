package io.belay.bench.lead;

import io.belay.bench.work.Failure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker, as its parent sees it: a JVM of its own, with the same options whatever the library. */
final class WorkerProcess {
    /** The options of the JVM, the same for all libraries, and in the report. */
    static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx512m");

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
    private static final int SUN_MISC_UNSAFE_WARNS = 24;
    private static final String ENDED = Failure.WORD + "it ended by itself";

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "bench-workers"));
    }

    private final Process process;
    private final Writer to;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    private WorkerProcess(Process process) {
        this.process = process;
        this.to = process.outputWriter();
        BufferedReader from = process.inputReader();
        Thread reader = new Thread(() -> read(from), "bench-reader");
        reader.setDaemon(true);
        reader.start();
    }

    static WorkerProcess start(Path java, int feature, String classPath, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(java.resolve("bin").resolve("java").toString());
        command.addAll(OPTIONS);
        if (feature >= SUN_MISC_UNSAFE_WARNS) {
            command.addAll(List.of(
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:+IgnoreUnrecognizedVMOptions",
                    "--sun-misc-unsafe-memory-access=allow"));
        }
        command.add(Worker.class.getName());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CLASSPATH", classPath);
        builder.environment().putAll(environment);
        Process process = builder.start();
        RUNNING.add(process);
        return new WorkerProcess(process);
    }

    private void read(BufferedReader from) {
        try {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                said.add(line);
            }
        } catch (IOException | UncheckedIOException e) {
            // It was ended.
        }
        said.add(ENDED);
    }

    void tell(String step) {
        try {
            to.write(step + "\n");
            to.flush();
        } catch (IOException e) {
            // Why it has gone is among what it said.
            return;
        }
    }

    /** Waits for a line that begins so, prints what else the worker says, and returns the rest of the line. */
    String expect(String beginning, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            String line = said.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new BenchException("no '" + beginning + "' within " + patience.toSeconds() + " s");
            } else if (line.startsWith(beginning)) {
                return line.substring(beginning.length());
            } else if (line.startsWith(Failure.LACKS)) {
                throw new MissingCodeException(line.substring(Failure.LACKS.length()));
            } else if (line.startsWith(Failure.WORD)) {
                throw new BenchException(line.substring(Failure.WORD.length()));
            }
            System.err.println("    " + line);
        }
    }

    void end() {
        process.destroyForcibly();
        RUNNING.remove(process);
    }
}
