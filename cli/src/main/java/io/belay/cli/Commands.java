package io.belay.cli;

import io.belay.cli.dashboard.DashboardCommand;
import io.belay.cli.doctor.DoctorCommand;
import io.belay.cli.hammer.HammerCommand;
import io.belay.cli.inspect.BreakCommand;
import io.belay.cli.inspect.DeadlocksCommand;
import io.belay.cli.inspect.InspectCommand;
import io.belay.cli.inspect.LocksCommand;
import io.belay.cli.run.LeadCommand;
import io.belay.cli.run.RunCommand;
import io.belay.cli.schema.SchemaCommand;
import io.belay.cli.text.CliException;
import io.belay.cli.text.Text;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** The commands by their names, with what each does in a line. One is made when it is called, and not before. */
final class Commands {
    private static final String FLASH_SALE = "flash-sale";
    private static final Map<String, String> SUMMARIES = new LinkedHashMap<>();

    static {
        // ./belay says so: the demonstration lies beside the sources, and not in the packages.
        if (Boolean.getBoolean("belay.sources")) {
            SUMMARIES.put(
                    FLASH_SALE,
                    "Sells a stock through several shop nodes, each a process, and shows that no unit is sold twice.");
        }
        SUMMARIES.put("run", "Runs a command while it holds a lock, and ends it if the lock is lost.");
        SUMMARIES.put("lead", "Runs a command while it leads, one process at a time, and again at its next term.");
        SUMMARIES.put("locks", "Lists the locks that are in use, those that are waited for first.");
        SUMMARIES.put("dashboard", "Serves a live page of all locks: holders, waiters, and what changes.");
        SUMMARIES.put("inspect", "Shows who holds a lock and who waits for it.");
        SUMMARIES.put("deadlocks", "Shows threads that wait for each other's locks, in any processes.");
        SUMMARIES.put("break", "Takes a lock away from those who hold it, after a question.");
        SUMMARIES.put(
                "hammer", "Measures one lock: processes and threads that acquire and release it as fast as they can.");
        SUMMARIES.put("doctor", "Looks at a store, takes a lock there, and tells what endangers locks.");
        SUMMARIES.put(
                "schema", "Prints what has to be made in a store before it is used, such as tables; or makes it.");
    }

    private Commands() {}

    /** Returns the names, with commas between them. */
    static String names() {
        return String.join(", ", SUMMARIES.keySet());
    }

    /** Returns what each command does, by their names. */
    static Map<String, String> summaries() {
        return Collections.unmodifiableMap(SUMMARIES);
    }

    /** Returns what {@code belay --help} prints. */
    static String help() {
        StringBuilder text = new StringBuilder(500);
        text.append("Usage: belay COMMAND [OPTIONS]\n")
                .append("Distributed locks: run commands under them, show them, measure them, check their stores.\n\n")
                .append("  -h, --help     Show this help message and exit.\n")
                .append("  -V, --version  Print version information and exit.\n\n")
                .append("Commands (belay COMMAND --help lists the options of one):\n\n");
        SUMMARIES.forEach((name, summary) -> text.append("  ")
                .append(name)
                .append(" ".repeat(12 - name.length()))
                .append(summary)
                .append('\n'));
        return text.toString();
    }

    /**
     * Makes a command.
     *
     * @throws CliException if there is none of that name
     */
    static Callable<Integer> make(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "lead" -> new LeadCommand();
            case "locks" -> new LocksCommand();
            case "dashboard" -> new DashboardCommand();
            case "inspect" -> new InspectCommand();
            case "deadlocks" -> new DeadlocksCommand();
            case "break" -> new BreakCommand();
            case "hammer" -> new HammerCommand();
            case "doctor" -> new DoctorCommand();
            case "schema" -> new SchemaCommand();
            case FLASH_SALE -> flashSale();
            default ->
                throw CliException.usage((name.startsWith("-") ? "unknown option '" : "unknown command '") + name
                        + "'; the commands are " + names() + "; see belay --help");
        };
    }

    @SuppressWarnings("unchecked")
    private static Callable<Integer> flashSale() {
        try {
            return (Callable<Integer>) Class.forName("io.belay.flashsale.FlashSaleCommand")
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw CliException.usage("the flash sale comes with Belay's sources, not with its packages: call"
                    + " ./belay flash-sale in a checkout");
        }
    }

    /** Returns the reader of a command's arguments. */
    static CommandLine line(Callable<Integer> command, String name) {
        CommandLine line = new CommandLine(command)
                .setCommandName("belay " + name)
                // A name or URL may begin with any character, also the one that would name a file.
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true);
        if (Text.isDumb()) {
            line.setColorScheme(CommandLine.Help.defaultColorScheme(
                    CommandLine.Help.Ansi.OFF)); // picocli does not ask what the terminal can do
        }
        line.getCommandSpec().usageMessage().description(SUMMARIES.getOrDefault(name, ""));
        return line;
    }

    /** Returns the readers of all commands, for the pages and the completions that the build makes. */
    static Map<String, CommandLine> all() {
        Map<String, CommandLine> lines = new LinkedHashMap<>();
        SUMMARIES.keySet().forEach(name -> lines.put(name, line(make(name), name)));
        return lines;
    }
}
