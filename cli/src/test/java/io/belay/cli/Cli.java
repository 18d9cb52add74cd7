package io.belay.cli;

import io.belay.cli.process.ChildJvm;
import io.belay.servers.CommandRun;
import io.belay.servers.Premise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the command line as a process, as users do. */
public final class Cli {
    private Cli() {}

    /** Runs a command in this JVM; for those that end before they start anything. */
    public static CommandRun inside(String... args) {
        return CommandRun.inside(() -> Main.run(args));
    }

    /** Starts a command in a process of its own. */
    public static Process start(Map<String, String> environment, String... args) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("BELAY_TEST_ARGS", String.join("\n", args));
        return ChildJvm.start(Entry.class.getName(), List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), all);
    }

    /** Runs a command in a process of its own until its end. */
    public static CommandRun run(Map<String, String> environment, String... args) throws Exception {
        return CommandRun.of(start(environment, args));
    }

    /** Returns a run of a command that asks a store: one that the store was too slow for has shown nothing. */
    public static CommandRun answered(CommandRun run) {
        Premise.check(!run.output().contains("did not answer in time"), "the store answers in time");
        return run;
    }

    /** Writes a script that starts this build's commands just as {@code belay} does, by the JVM of the tests. */
    public static Path script(Path file) throws IOException {
        List<String> java = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        if (Runtime.version().feature() >= 24) { // as ./belay does it, or the JVM warns of what libraries do
            java.addAll(List.of(
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:+IgnoreUnrecognizedVMOptions",
                    "--sun-misc-unsafe-memory-access=allow"));
        }
        String text = Files.readString(Path.of("src/test/resources/belay.sh"))
                .replace("@SHARE@", Path.of("../dist/src/share").toRealPath().toString())
                .replace("@JAVA@", String.join("' '", java))
                .replace("@CLASSES@", System.getProperty("java.class.path"));
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }

    /** Where the process begins: its arguments come by the environment, as the starting of children knows no others. */
    static final class Entry {
        private Entry() {}

        public static void main(String[] args) {
            Main.main(System.getenv("BELAY_TEST_ARGS").split("\n", -1));
        }
    }
}
