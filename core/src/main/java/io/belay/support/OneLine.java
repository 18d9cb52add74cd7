package io.belay.support;

import java.util.Objects;
import java.util.regex.Pattern;

/** The maker of one-line messages: they repeat what a user wrote into a URL, or a server said, and go into logs. */
public final class OneLine {
    /** The characters that steer a terminal, draw nothing, or turn the direction of what follows. */
    private static final Pattern UNPRINTABLE = Pattern.compile(
            "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2065\\u3164"
                    + "\\ufe00-\\ufe0f\\uffa0\\x{e0000}-\\x{e0fff}]");

    private static final int MAX = 1500;

    private OneLine() {}

    /** Returns the message on one line, and not longer than can be read. */
    public static String of(String message) {
        return printable(
                Objects.requireNonNull(message, "message").length() <= MAX
                        ? message
                        : message.substring(0, MAX) + "...");
    }

    /**
     * Returns the text with a question mark in the place of each character that would begin a line, steer a terminal, or make one
     * name look like another.
     */
    public static String printable(String text) {
        return UNPRINTABLE.matcher(Objects.requireNonNull(text, "text")).replaceAll("?");
    }
}
