package io.belay.shop.text;

import java.util.regex.Pattern;

/** A mask for what users write into URLs and do not want to be shown. */
public final class Urls {
    // Up to the last @, as a password that was not encoded may hold one itself.
    private static final Pattern USER_INFO = Pattern.compile("(//[^:/?#\\s]*):\\S*@");
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)([?&;,\\s][a-z_.-]*(?:password|passwd|pwd|pass|secret|token)=)[^&;,\\s]*");

    private Urls() {}

    /** Returns a text without the passwords of the URLs in it. */
    public static String mask(String text) {
        String masked = USER_INFO.matcher(text).replaceAll("$1:***@");
        return PARAMETER.matcher(masked).replaceAll("$1***");
    }
}
