package io.belay.support;

import java.util.Objects;
import java.util.regex.Pattern;

/** A mask for the passwords of URLs in what is printed or logged. */
public final class UrlPasswords {
    private static final String NAMES = "[a-z_.-]*(?:password|passwd|pwd|pass|secret|token)[0-9]*";

    // Up to the last @, as a password that was not encoded may hold one itself.
    private static final Pattern USER_INFO = Pattern.compile("(//[^:/?#\\s]*):\\S*@");
    private static final Pattern IN_QUERY = parameter("[?&]", "[;,]");
    private static final Pattern IN_LIST = parameter("[;,\\s]", ",");

    /** A password in the address of a host, as MySQL's driver has it. */
    private static final Pattern IN_PARENTHESES = Pattern.compile("(?i)(\\(" + NAMES + "=)[^),&\\s]*");

    /** What MongoDB's driver takes for AWS beside a key and its secret. */
    private static final Pattern AWS_TOKEN = Pattern.compile("(?i)(AWS_SESSION_TOKEN(?::|%3A))[^&,\\s]*");

    private UrlPasswords() {}

    /** A parameter behind that character; one of the others may be the password's own, unless the next URL of a list follows. */
    private static Pattern parameter(String behind, String others) {
        String rest = "[^&;,\\s]*";
        return Pattern.compile(
                "(?i)(" + behind + NAMES + "=)" + rest + "(?:" + others + "(?![a-z][a-z0-9+.-]*:)" + rest + ")*");
    }

    /** Returns a text without the passwords of the URLs in it. */
    public static String mask(String text) {
        String masked = USER_INFO.matcher(Objects.requireNonNull(text, "text")).replaceAll("$1:***@");
        masked = IN_QUERY.matcher(masked).replaceAll("$1***");
        masked = IN_LIST.matcher(masked).replaceAll("$1***");
        masked = IN_PARENTHESES.matcher(masked).replaceAll("$1***");
        return AWS_TOKEN.matcher(masked).replaceAll("$1***");
    }
}
