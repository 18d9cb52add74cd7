package io.belay.tck;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process of its own that takes a lock and keeps it, to be stopped and killed. */
final class LockProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private LockProcess(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts the process, and waits until it is about to take the lock. */
    static LockProcess start(String url, String lock, Duration lease) throws IOException {
        LockProcess started = new LockProcess(java(LockProcess.class, url, lock, lease.toString()));
        if (!"connected".equals(started.line())) {
            started.close();
            throw new IOException("the process that is to hold a lock did not start; it says why above");
        }
        return started;
    }

    /** Starts another program, whose lines are read as those of this one. */
    static LockProcess of(Class<?> program, String... arguments) throws IOException {
        return new LockProcess(java(program, arguments));
    }

    /** Starts a program of this class path; its errors appear among those of this process. */
    static Process java(Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(),
                program.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Joins both paths: a store's own module may be on the module path while its tests are on the class path. */
    private static String classPath() {
        return Stream.of(System.getProperty("jdk.module.path", ""), System.getProperty("java.class.path"))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    public static void main(String[] arguments) throws Exception {
        BelayOptions options = BelayOptions.defaults()
                .withClientName("child")
                .withLockDefaults(LockOptions.defaults().withLease(Duration.parse(arguments[2])));
        try (Belay belay = Belay.connect(arguments[0], options)) {
            System.out.println("connected");
            try (Lease lease = belay.lock(arguments[1]).acquire()) {
                System.out.println("held");
                // Each line is a question, until the parent ends it.
                BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                while (questions.readLine() != null) {
                    System.out.println(lease.isHeld());
                }
                System.out.println(lease.isHeld());
            }
        }
    }

    /** Returns the next line that the process prints; null when it has ended. */
    @Nullable
    String line() throws IOException {
        return output.readLine();
    }

    /** Asks the process whether it still holds the lock, as far as it knows. */
    boolean isHeld() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).write("\n");
        process.outputWriter(StandardCharsets.UTF_8).flush();
        return Boolean.parseBoolean(line());
    }

    /** Returns whether the process had the lock and has lost it, as far as it knows. Its lines must not have been read. */
    boolean hasLost() throws IOException {
        return output.ready() && "held".equals(line()) && !isHeld();
    }

    /** Ends the process's input, upon which it says whether it still holds the lock, gives it back and ends. */
    @Nullable
    String finish() throws IOException, InterruptedException {
        process.getOutputStream().close();
        String last = line();
        process.waitFor();
        return last;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Stops the process (SIGSTOP), on Linux. Returns when all its threads stand still, which a busy machine delays. */
    void suspend() throws IOException, InterruptedException {
        signal("STOP");
        while (!isSuspended()) {
            Thread.sleep(1);
        }
    }

    /** Lets the process go on (SIGCONT). */
    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private boolean isSuspended() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        }
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " ended with " + code);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
