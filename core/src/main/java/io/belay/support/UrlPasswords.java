package io.belay.support;

import java.util.Objects;
import java.util.regex.Pattern;

/** A mask for the passwords of URLs in what is printed or logged. */
public final class UrlPasswords {
    // Up to the last @, as a password that was not encoded may hold one itself.
    private static final Pattern USER_INFO = Pattern.compile("(//[^:/?#\\s]*):\\S*@");
    private static final Pattern IN_QUERY = parameter("[?&]", "[;,]");
    private static final Pattern IN_LIST = parameter("[;,\\s]", ",");

    private UrlPasswords() {}

    /** A parameter behind that character; one of the others may be the password's own, unless the next URL of a list follows. */
    private static Pattern parameter(String behind, String others) {
        String rest = "[^&;,\\s]*";
        return Pattern.compile("(?i)(" + behind + "[a-z_.-]*(?:password|passwd|pwd|pass|secret|token)=)" + rest + "(?:"
                + others + "(?![a-z][a-z0-9+.-]*:)" + rest + ")*");
    }

    /** Returns a text without the passwords of the URLs in it. */
    public static String mask(String text) {
        String masked = USER_INFO.matcher(Objects.requireNonNull(text, "text")).replaceAll("$1:***@");
        masked = IN_QUERY.matcher(masked).replaceAll("$1***");
        return IN_LIST.matcher(masked).replaceAll("$1***");
    }
}
