package io.belay.shop;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What users write into URLs: names of environment variables to expand, and passwords not to show. */
public final class Urls {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");

    // Up to the last @, as a password that was not encoded may hold one itself.
    private static final Pattern USER_INFO = Pattern.compile("(//[^:/?#\\s]*):\\S*@");
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)([?&;,\\s][a-z_.-]*(?:password|passwd|pwd|pass|secret|token)=)[^&;,\\s]*");

    private Urls() {}

    /**
     * Puts the values of environment variables in the place of their names.
     *
     * @throws IllegalArgumentException if one is not set
     */
    public static String expand(String url, Map<String, String> environment) {
        Matcher matcher = VARIABLE.matcher(url);
        StringBuilder expanded = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(1);
            String value = environment.get(name);
            if (value == null) {
                throw new IllegalArgumentException(
                        "the environment variable " + name + ", which a URL names, is not set: export it first");
            }
            matcher.appendReplacement(expanded, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(expanded).toString();
    }

    /** A text without the passwords of the URLs in it. */
    public static String mask(String text) {
        String masked = USER_INFO.matcher(text).replaceAll("$1:***@");
        return PARAMETER.matcher(masked).replaceAll("$1***");
    }
}
