package io.belay.cli.run;

import java.util.List;

/**
 * Where the user's command stands among the arguments. The launcher takes it from there, as it has every byte of them.
 *
 * @param first the number of its first word, from 1; what follows belongs to it, too
 * @param skipped the characters before it in that argument, if it is one string for a shell; else empty
 */
record CommandWords(int first, String skipped) {
    /** Returns the last so many of the arguments. */
    static CommandWords last(int count, List<String> arguments) {
        return new CommandWords(arguments.size() - count + 1, "");
    }

    /** Returns the end of an argument that is this string, as in {@code -c STRING} and {@code --command=STRING}. */
    static CommandWords shell(String string, List<String> arguments) {
        int at = arguments.size() - 1;
        while (!arguments.get(at).endsWith(string)) {
            at--;
        }
        return new CommandWords(at + 1, Integer.toString(arguments.get(at).length() - string.length()));
    }
}
