package io.belay.flashsale;

import io.belay.cli.Main;
import io.belay.cli.process.ChildJvm;
import io.belay.servers.CommandRun;
import io.belay.servers.Pace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sale as users call it: a process, or, for calls that end before they start anything, this one. */
final class SaleProcess {
    /** It starts a Spring application for each node, beside whatever else this machine is at, and then sells. */
    private static final Duration LONGEST = Pace.patience().multipliedBy(5);

    private SaleProcess() {}

    /** Runs a command in this JVM; for those that end before they start anything. */
    static CommandRun inside(String... args) {
        return CommandRun.inside(() -> Main.run(args));
    }

    /** Starts a command in a process of its own. */
    static Process start(Map<String, String> environment, String... args) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("BELAY_TEST_ARGS", String.join("\n", args));
        return ChildJvm.start(Entry.class.getName(), List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), all);
    }

    /** Runs a command in a process of its own until its end. */
    static CommandRun run(Map<String, String> environment, String... args) throws Exception {
        return CommandRun.of(start(environment, args), LONGEST);
    }

    /** Does the same in a working directory. */
    static CommandRun runIn(Path directory, Map<String, String> environment, String... args) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), Entry.class.getName())
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().putAll(environment);
        builder.environment().put("BELAY_TEST_ARGS", String.join("\n", args));
        return CommandRun.of(builder.start(), LONGEST);
    }

    /** Where the process begins: its arguments come by the environment, as the starting of children knows no others. */
    static final class Entry {
        private Entry() {}

        public static void main(String[] args) {
            Main.main(System.getenv("BELAY_TEST_ARGS").split("\n", -1));
        }
    }
}
