package io.belay.support;

import java.util.Objects;

/** The maker of one-line messages: they repeat what a user wrote into a URL, or a server said, and go into logs. */
public final class OneLine {
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
        int at = unprintable(text, 0);
        if (at == text.length()) {
            return text; // at once, as owners go this way with each request for a lock
        }
        StringBuilder clean = new StringBuilder(text);
        for (; at < clean.length(); at = unprintable(text, at + 1)) {
            clean.setCharAt(at, '?');
        }
        return clean.toString();
    }

    /** Returns whether that leaves the text as it is. */
    public static boolean isPrintable(String text) {
        return unprintable(text, 0) == text.length();
    }

    /** Returns the index of the first such character from that one on; the length of the text if there is none. */
    private static int unprintable(String text, int from) {
        int at = from;
        while (at < text.length() && !isUnprintable(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isUnprintable(char character) {
        return Character.isISOControl(character) || character == '\u2028' || character == '\u2029';
    }
}
