package io.belay.support;

import java.util.Objects;
import java.util.regex.Pattern;

/** The maker of one-line messages: they repeat what a user wrote into a URL, or a server said, and go into logs. */
public final class OneLine {
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\u2028\u2029]");
    private static final int MAX = 1500;

    private OneLine() {}

    /** Returns the message on one line, and not longer than can be read. */
    public static String of(String message) {
        return printable(
                Objects.requireNonNull(message, "message").length() <= MAX
                        ? message
                        : message.substring(0, MAX) + "...");
    }

    /** Returns the text with a question mark in the place of each character that could begin a line, or clear a screen. */
    public static String printable(String text) {
        return UNPRINTABLE.matcher(Objects.requireNonNull(text, "text")).replaceAll("?");
    }
}
