package io.belay.cli.run;

import io.belay.servers.Pace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A terminal in which a command runs, and somebody types. */
final class Terminal implements AutoCloseable {
    static final String CONTROL_C = "\u0003";
    static final String CONTROL_Z = "\u001a";
    static final String CONTROL_BACKSLASH = "\u001c";

    private final Process process;
    private final Path screen;

    /** Opens one; {@code script} of util-linux makes it. */
    Terminal(Path directory, String command) throws IOException {
        screen = Files.createTempFile(directory, "screen", "");
        ProcessBuilder builder = new ProcessBuilder("env", "--default-signal", "script", "-qefc", command, "/dev/null")
                .redirectErrorStream(true)
                .redirectOutput(screen.toFile());
        builder.environment().remove("BELAY_LOCK");
        builder.environment().put("SHELL", "/bin/bash");
        process = builder.start();
    }

    void type(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    String screen() throws IOException {
        return Files.readString(screen, StandardCharsets.ISO_8859_1);
    }

    void await(String text) throws IOException {
        awaitMatch(Pattern.quote(text));
    }

    /** Waits until something on the screen matches; fails with all that is there. */
    void awaitMatch(String pattern) throws IOException {
        Pattern wanted = Pattern.compile(pattern);
        try {
            Awaitility.await()
                    .pollInterval(20, TimeUnit.MILLISECONDS)
                    .until(() -> wanted.matcher(screen()).find());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("no " + pattern + " is on the screen: " + screen(), e);
        }
    }

    /** Waits for the command's end, and returns its exit code, or 128 and the number of the signal that ended it. */
    int exitCode() throws Exception {
        if (!process.waitFor(Pace.patience().toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("it goes on: " + screen());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
