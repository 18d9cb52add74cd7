package io.belay.flashsale;

import io.belay.cli.Main;
import io.belay.cli.process.ChildJvm;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The sale as users call it: a process, or, for calls that end before they start anything, this one. */
final class SaleProcess {
    private static final int LONGEST_SECONDS = 100;

    private SaleProcess() {}

    /**
     * What a run of it left.
     *
     * @param exitCode its exit code
     * @param output what it printed, the error output included
     */
    record Run(int exitCode, String output) {}

    /** Runs a command in this JVM. */
    static Run inside(String... args) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = System.out;
        PrintStream err = System.err;
        try (PrintStream both = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(both);
            System.setErr(both);
            return new Run(Main.run(args), bytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    static Process start(Map<String, String> environment, String... args) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("BELAY_TEST_ARGS", String.join("\n", args));
        return ChildJvm.start(Entry.class.getName(), List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), all);
    }

    /** Runs a command in a process of its own until its end. */
    static Run run(Map<String, String> environment, String... args) throws Exception {
        Process process = start(environment, args);
        // Reading cannot be interrupted: what hangs would hang the test, and outlive it.
        var unused = process.onExit()
                .orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS)
                .whenComplete((ended, timeout) -> process.destroyForcibly());
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader()) {
            reader.lines().forEach(lines::add);
        }
        return new Run(process.waitFor(), String.join("\n", lines));
    }

    /** Where the process begins: its arguments come by the environment, as the starting of children knows no others. */
    static final class Entry {
        private Entry() {}

        public static void main(String[] args) {
            Main.main(System.getenv("BELAY_TEST_ARGS").split("\n", -1));
        }
    }
}
