package io.belay.servers;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process of a test's own, and the handle by which it is stopped, killed and ended. */
public final class ChildJvm implements AutoCloseable {
    private static final List<String> OPTIONS = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    public final Process process;
    private final BufferedReader output;
    private final @Nullable Path clock;

    private ChildJvm(Process process, @Nullable Path clock) {
        this.process = process;
        this.clock = clock;
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a main method of the caller's tests, with all that they see. It should end when its input does. */
    public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        return startBy(List.of(), classPath(main), main, arguments);
    }

    /** Does the same by a command, with JVM options in the place of those that are there for a short start and little memory. */
    public static ChildJvm startWith(
            List<String> command, List<String> options, String classPath, Class<?> main, String... arguments)
            throws IOException {
        return start(command, options, null, classPath, main, arguments);
    }

    /** Does the same by a command that starts the JVM, say as another user, who may not read every class path. */
    public static ChildJvm startBy(List<String> command, String classPath, Class<?> main, String... arguments)
            throws IOException {
        return start(command, OPTIONS, null, classPath, main, arguments);
    }

    /**
     * Does the same with a wall clock that {@link #setClock} moves; the process's monotonic clock is this machine's.
     */
    public static ChildJvm startWithClock(Class<?> main, String... arguments) throws IOException {
        Path clock = Leftovers.directory("belay-child-").resolve("clock");
        FakeClock.set(clock, Duration.ZERO);
        return start(List.of(), OPTIONS, clock, classPath(main), main, arguments);
    }

    private static ChildJvm start(
            List<String> by,
            List<String> options,
            @Nullable Path clock,
            String classPath,
            Class<?> main,
            String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(by);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-Dslf4j.internal.verbosity=ERROR", "-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(clock == null ? Map.of() : FakeClock.environmentForJava(clock));
        return new ChildJvm(builder.start(), clock);
    }

    /** Puts the process's wall clock so far ahead of this machine's, or behind; it notices within a second or two. */
    public void setClock(Duration offset) throws IOException {
        if (clock == null) {
            throw new IllegalStateException("this process was started with the clock of the machine");
        }
        FakeClock.set(clock, offset);
    }

    /** Writes a line to the process, and returns the next line that it prints. */
    public String ask(String question) throws IOException {
        say(question);
        String answer = line();
        if (answer == null) {
            throw new IOException("the child has ended");
        }
        return answer;
    }

    /**
     * Returns the class path of a test's main method. The tests of a module are patched into it, so neither path
     * of this JVM names their directory.
     */
    public static String classPath(Class<?> main) {
        Path classes =
                Path.of(main.getProtectionDomain().getCodeSource().getLocation().getPath());
        return Stream.of(
                        classes.toString(),
                        classes.resolveSibling("test-classes").toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path"))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Says something whose answer is read later. */
    public void say(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
    }

    /** Returns the next line that the process prints; null when it has ended. */
    public @Nullable String line() throws IOException {
        return output.readLine();
    }

    public void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " ended with " + code);
        }
    }

    public boolean isStopped() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends the process's input, and waits for its end; returns the line that it printed last. */
    public @Nullable String finish() throws IOException, InterruptedException {
        process.getOutputStream().close();
        String last = line();
        if (!process.waitFor(Pace.patience().toMillis(), TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
            throw new IOException("the child does not end well");
        }
        return last;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        if (clock != null) {
            FakeClock.forget(process.pid());
        }
    }
}
