package io.belay.cli;

import io.belay.cli.process.Cleanup;
import io.belay.cli.run.Launcher;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A run of the commands that people call often, on a directory of its own. With {@code -XX:ArchiveClassesAtExit} the Java VM
 * makes an archive of the classes that they took, from which a later start has them without reading jars (JEP 350). It is started
 * as {@code run} is, which needs that.
 */
public final class Training {
    /** The commands; {@code @} stands for the store, which the first makes. */
    private static final List<String> COMMANDS = List.of(
            "--help",
            "run --help",
            "run x -n --verbose --store @ -- true",
            "inspect x --store @",
            "inspect x --json --store @",
            "locks --store @",
            "locks --all --json --store @",
            "doctor --store @",
            "schema --store @");

    /** The same for stores of which nobody is there: what it takes to find that out is most of what it takes to connect. */
    private static final List<String> REFUSED = List.of("inspect x --store redis://127.0.0.1:1");

    private Training() {}

    public static void main(String[] args) throws IOException {
        Main.begin();
        PrintStream out = System.out;
        PrintStream err = System.err;
        int worst = 0;
        try (Cleanup cleanup = new Cleanup();
                PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            System.setOut(nowhere);
            System.setErr(nowhere);
            String store = "file:" + cleanup.temporaryDirectory("belay-training");
            for (String command : COMMANDS) {
                worst = Math.max(worst, Main.run(command.replace("@", store).split(" ", -1)));
            }
            for (String command : REFUSED) {
                Main.run(command.split(" ", -1));
            }
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        if (worst > 0) {
            System.err.println("belay: a command of the training failed: " + worst);
        }
        Launcher.end();
        System.exit(worst);
    }
}
