package io.belay.cli;

import io.belay.cli.text.Version;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual pages, in the macros of {@code man(7)}, made of what the commands say of themselves. */
final class Manual {
    private Manual() {}

    /** Returns the page of {@code belay} itself. */
    static String ofAll(Map<String, String> summaries, String day) {
        StringBuilder page = head("belay", "distributed locks for commands, and tools to look at them", day);
        page.append(".SH SYNOPSIS\n\\fBbelay\\fR COMMAND [OPTIONS]\n.SH COMMANDS\n");
        summaries.forEach((name, summary) -> page.append(".TP\n\\fBbelay\\-")
                .append(name.replace("-", "\\-"))
                .append("\\fR(1)\n")
                .append(escaped(summary))
                .append('\n'));
        return page.append(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShows the commands.\n"
                        + ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nShows the version.\n")
                .toString();
    }

    /** Returns the page of one command. */
    static String of(String name, CommandLine line, String day) {
        CommandSpec spec = line.getCommandSpec();
        String summary = String.join(" ", spec.usageMessage().description());
        StringBuilder page = head("belay-" + name, summary, day).append(".SH SYNOPSIS\n");
        for (String synopsis : line.getHelp().synopsis(0).strip().split("\n", -1)) {
            page.append(escaped(synopsis)).append("\n.br\n");
        }
        page.append(".SH OPTIONS\n");
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            item(page, "\\fI" + escaped(parameter.paramLabel()) + "\\fR", parameter.description());
        }
        for (OptionSpec option : spec.options()) {
            String names = "\\fB" + escaped(String.join(", ", option.names())) + "\\fR";
            boolean takes = option.arity().max() > 0;
            item(
                    page,
                    takes ? names + " \\fI" + escaped(option.paramLabel()) + "\\fR" : names,
                    String.join(" ", option.description())
                            .replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValue())));
        }
        page.append(".SH NOTES\n");
        for (String note : spec.usageMessage().footer()) {
            page.append(note.isEmpty() ? "" : ".PP\n" + plain(note) + "\n");
        }
        return page.append(".SH SEE ALSO\n\\fBbelay\\fR(1)\n").toString();
    }

    private static StringBuilder head(String name, String summary, String day) {
        String version = Version.line().replace("(not packaged)", "");
        return new StringBuilder(".TH \"")
                .append(name.toUpperCase(Locale.ROOT))
                .append("\" 1 \"")
                .append(day)
                .append("\" \"")
                .append(version.strip())
                .append("\"\n.SH NAME\n")
                .append(escaped(name))
                .append(" \\- ")
                .append(escaped(summary))
                .append('\n');
    }

    private static void item(StringBuilder page, String title, String... description) {
        page.append(".TP\n")
                .append(title)
                .append('\n')
                .append(plain(String.join(" ", description)))
                .append('\n');
    }

    /** Returns a sentence as the help would print it. */
    private static String plain(String text) {
        return escaped(Ansi.OFF.string(text).replace("$$", "$"));
    }

    private static String escaped(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
