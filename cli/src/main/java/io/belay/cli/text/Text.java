package io.belay.cli.text;

import io.belay.support.OneLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Figures and tables in plain text. */
public final class Text {
    private Text() {}

    /** Formats in one locale everywhere, so that what is printed can be compared. */
    public static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** Returns a number with its noun. */
    public static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    /** Returns a bar as long as a value's part of the greatest one. */
    public static String bar(long value, long greatest, int width) {
        int length = greatest == 0 ? 0 : (int) ((value * width + greatest - 1) / greatest);
        return "#".repeat(length) + " ".repeat(width - length);
    }

    /** Returns columns as wide as they need to be, two spaces apart. */
    public static String table(List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream()
                .map(row -> {
                    StringBuilder line = new StringBuilder();
                    for (int i = 0; i < columns; i++) {
                        line.append(row.get(i))
                                .append(" ".repeat(widths[i] - row.get(i).length() + 2));
                    }
                    return line.toString().stripTrailing();
                })
                .collect(Collectors.joining("\n"));
    }

    /** Returns lines of at most a width, each behind the same margin. A word that is longer than that stays whole. */
    public static String wrap(String text, int width, String margin) {
        StringBuilder lines = new StringBuilder(margin);
        int length = margin.length();
        for (String word : text.strip().split("\\s+", -1)) {
            if (length > margin.length() && length + 1 + word.length() > width) {
                lines.append("\n").append(margin);
                length = margin.length();
            }
            if (length > margin.length()) {
                lines.append(' ');
                length++;
            }
            lines.append(word);
            length += word.length();
        }
        return lines.toString();
    }

    /** Returns whether the terminal says that it cannot be steered. */
    public static boolean isDumb() {
        String terminal = System.getenv("TERM");
        return "dumb".equals(terminal) || "".equals(terminal);
    }

    /** Returns whether a descriptor is a terminal that can be steered: Java can only tell of all three together. */
    public static boolean isTerminal(int descriptor) {
        if (isDumb()) {
            return false;
        }
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return System.console() != null; // a system without /proc
        }
    }

    /** Returns what others wrote, without characters that would steer the terminal, or make one name look like another. */
    public static String printable(String text) {
        return OneLine.printable(text);
    }
}
