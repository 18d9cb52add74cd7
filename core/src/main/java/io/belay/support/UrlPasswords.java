package io.belay.support;

import java.util.Objects;
import java.util.regex.Pattern;

/** A mask for the passwords of URLs in what is printed or logged. */
public final class UrlPasswords {
    // Up to the last @, as a password that was not encoded may hold one itself.
    private static final Pattern USER_INFO = Pattern.compile("(//[^:/?#\\s]*):\\S*@");
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)([?&;,\\s][a-z_.-]*(?:password|passwd|pwd|pass|secret|token)=)[^&;,\\s]*");

    private UrlPasswords() {}

    /** Returns a text without the passwords of the URLs in it. */
    public static String mask(String text) {
        String masked = USER_INFO.matcher(Objects.requireNonNull(text, "text")).replaceAll("$1:***@");
        return PARAMETER.matcher(masked).replaceAll("$1***");
    }
}
