package io.belay.spi;

import java.util.regex.Pattern;

/** Messages repeat what somebody wrote into a URL, or what a server said, and each is to be one line in a log. */
final class OneLine {
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\u2028\u2029]");
    private static final int MAX = 1500;

    private OneLine() {}

    static String of(String message) {
        String cut = message.length() <= MAX ? message : message.substring(0, MAX) + "...";
        return UNPRINTABLE.matcher(cut).replaceAll("?");
    }
}
