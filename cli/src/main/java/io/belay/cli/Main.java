package io.belay.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of {@code ./belay}. */
@Command(name = "belay", version = "belay 0.1.0-SNAPSHOT", mixinStandardHelpOptions = true)
public final class Main implements Runnable {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }
}
