package io.belay.servers;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * What a run of a command left.
 *
 * @param exitCode its exit code
 * @param output what it printed, the error output included
 */
public record CommandRun(int exitCode, String output) {
    /** Runs a command in this JVM; for those that end before they start anything. */
    public static CommandRun inside(IntSupplier command) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = System.out;
        PrintStream err = System.err;
        try (PrintStream both = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(both);
            System.setErr(both);
            return new CommandRun(command.getAsInt(), bytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** Reads what a process prints until its end, and kills it when that does not come. Its error output is merged into its output. */
    public static CommandRun of(Process process) throws IOException, InterruptedException {
        return of(process, Pace.patience());
    }

    /** The same, for one that may take so long. */
    public static CommandRun of(Process process, Duration longest) throws IOException, InterruptedException {
        // Reading cannot be interrupted: what hangs would hang the test, and outlive it.
        var unused = process.onExit()
                .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((ended, timeout) -> {
                    if (timeout != null) { // of one that has ended it would close the output that is still read
                        process.destroyForcibly();
                    }
                });
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader()) {
            reader.lines().forEach(lines::add);
        }
        return new CommandRun(process.waitFor(), String.join("\n", lines));
    }
}
