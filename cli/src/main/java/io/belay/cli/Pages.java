package io.belay.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The completions and manual pages of the commands, which the build writes into a directory. */
public final class Pages {
    private Pages() {}

    /**
     * Writes them.
     *
     * @param args the directory, and the day that the pages show
     */
    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        String day = args[1].replaceFirst("T.*", "");
        Path manuals = Files.createDirectories(directory.resolve("man/man1"));
        Map<String, CommandLine> commands = Commands.all();
        Files.writeString(manuals.resolve("belay.1"), Manual.ofAll(Commands.summaries(), day));
        for (Map.Entry<String, CommandLine> command : commands.entrySet()) {
            Files.writeString(
                    manuals.resolve("belay-" + command.getKey() + ".1"),
                    Manual.of(command.getKey(), command.getValue(), day));
        }
        Path completions = Files.createDirectories(directory.resolve("completions"));
        String bash = AutoComplete.bash("belay", together(commands));
        Files.writeString(completions.resolve("belay.bash"), bash);
        Files.writeString(completions.resolve("_belay"), forZsh(bash));
    }

    private static CommandLine together(Map<String, CommandLine> commands) {
        CommandLine all = new CommandLine(CommandSpec.create().name("belay").mixinStandardHelpOptions(true));
        commands.forEach((name, line) -> all.addSubcommand(name, line.setCommandName(name)));
        return all;
    }

    /** Returns a function file, which zsh loads at the first completion: the functions for bash, and a call of them. */
    private static String forZsh(String bash) {
        return "#compdef belay\nautoload -U +X bashcompinit && bashcompinit\n"
                + "(( $+functions[compopt] )) || compopt() { : }\n" + bash
                + "\n_bash_complete -o default -F _complete_belay\n";
    }
}
