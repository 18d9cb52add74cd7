package io.belay.cli;

import io.belay.cli.doctor.DoctorCommand;
import io.belay.cli.hammer.HammerCommand;
import io.belay.cli.inspect.BreakCommand;
import io.belay.cli.inspect.InspectCommand;
import io.belay.cli.inspect.LocksCommand;
import io.belay.cli.process.Logging;
import io.belay.cli.sale.FlashSaleCommand;
import io.belay.cli.schema.SchemaCommand;
import io.belay.cli.text.CliException;
import io.belay.cli.text.Version;
import io.belay.shop.text.Urls;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of {@code ./belay}. */
@Command(
        name = "belay",
        description = "Distributed locks: show them, look into them, measure them, check their stores.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            FlashSaleCommand.class,
            LocksCommand.class,
            InspectCommand.class,
            BreakCommand.class,
            HammerCommand.class,
            DoctorCommand.class,
            SchemaCommand.class
        })
public final class Main implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    private Main() {}

    public static void main(String[] args) {
        Logging.configure();
        System.exit(run(args));
    }

    /** Runs a command and returns its exit code. */
    static int run(String... args) {
        return new CommandLine(new Main())
                // A name or URL may begin with any character, also the one that would name a file.
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, ignored) -> fail(e, CliException.USAGE))
                .setExecutionExceptionHandler((e, command, parsed) ->
                        fail(e, e instanceof CliException told ? told.exitCode() : CliException.USAGE))
                .execute(args);
    }

    @Override
    public void run() {
        throw CliException.usage(
                "which command? one of " + String.join(", ", spec.subcommands().keySet()) + "; see belay --help");
    }

    /** Prints one line. The stack helps nobody who called it wrongly; whoever looks for a bug sets BELAY_DEBUG. */
    private static int fail(Exception e, int exitCode) {
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        boolean told = e.getClass().getName().startsWith("io.belay.")
                || e instanceof IllegalArgumentException
                || e instanceof CommandLine.ParameterException;
        System.err.println("belay: " + Urls.mask(told ? message : e.getClass().getSimpleName() + ": " + message));
        if (System.getenv("BELAY_DEBUG") != null) {
            e.printStackTrace();
        }
        return exitCode;
    }
}
