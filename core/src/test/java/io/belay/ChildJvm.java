package io.belay;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/** A process of a test's own, and the handle by which it is stopped, killed and ended. */
public final class ChildJvm implements AutoCloseable {
    public final Process process;
    private final BufferedReader output;

    private ChildJvm(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts the main method of a class among the tests. It should end when its input does. */
    public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        Path classes = location(Belay.class);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                classes + ":" + classes.resolveSibling("test-classes") + ":" + location(Logger.class),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ChildJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private static Path location(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** What it says next; null when it has ended. */
    public String line() throws IOException {
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

    /** Ends its input; returns what it says last. */
    public String finish() throws IOException, InterruptedException {
        process.getOutputStream().close();
        String last = line();
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("the child does not end well");
        }
        return last;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
