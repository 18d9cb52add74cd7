package io.belay.support;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A mask for the passwords of URLs in what is printed or logged. In a text a password ends with the first blank; in what is
 * known to be a URL it may hold one.
 */
public final class UrlPasswords {
    /** The parameters that are passwords, whatever their case. */
    static final String NAMES = "[a-z_.-]*(?:password|passwd|pwd|pass|secret(?:[_-]?(?:access)?[_-]?key)?|token)[0-9]*";

    /** Hosts, and a file's path or a password as a parameter, which may have an @: what stands so far is not a login. */
    private static final String PARAMETER =
            UrlLogin.HOSTS + "(?:/[^?@\\s]*)?\\?(?:[a-z-]+=[^&@\\s]*&)*(?:(?:ca|cert|key)=/|(?i:" + NAMES + ")=)";

    private static final UrlPasswords OF_TEXT = new UrlPasswords("[^:/?#\\s]*", "\\S*", "\\s");
    private static final UrlPasswords OF_URL = new UrlPasswords("[^:]*", ".*", "");

    /** What MongoDB's driver takes for AWS beside a key and its secret. */
    private static final Pattern AWS_TOKEN = Pattern.compile("(?i)(AWS_SESSION_TOKEN(?::|%3A))[^&,\\s]*");

    private final Pattern userInfo;
    private final Pattern inQuery;
    private final Pattern inList;
    /** A password in the address of a host, as MySQL's driver has it. */
    private final Pattern inParentheses;

    /**
     * Makes a mask.
     *
     * @param user what a user may be
     * @param password what a password may be that ends with the last @, as one that was not encoded may hold one itself
     * @param end what ends a password besides the characters of URLs
     */
    private UrlPasswords(String user, String password, String end) {
        userInfo = Pattern.compile("(?s)(//(?!" + PARAMETER + ")" + user + "):(?:" + password + "?@(?=" + PARAMETER
                + ")|" + password + "@)");
        inQuery = parameter("[?&]", "[;,]", end);
        inList = parameter("[;,\\s]", ",", end);
        inParentheses = Pattern.compile("(?i)(\\(" + NAMES + "=)[^),&" + end + "]*");
    }

    /** A parameter behind that character; one of the others may be the password's own, unless the next URL of a list follows. */
    private static Pattern parameter(String behind, String others, String end) {
        String rest = "[^&;," + end + "]*";
        return Pattern.compile(
                "(?i)(" + behind + NAMES + "=)" + rest + "(?:" + others + "(?![a-z][a-z0-9+.-]*:)" + rest + ")*");
    }

    /** Returns a text without the passwords of the URLs in it. */
    public static String mask(String text) {
        return OF_TEXT.masked(Objects.requireNonNull(text, "text"));
    }

    /** Returns a URL, or several in a list, without the passwords in it. */
    public static String maskUrl(String url) {
        return OF_URL.masked(Objects.requireNonNull(url, "url"));
    }

    private String masked(String text) {
        String masked = userInfo.matcher(text).replaceAll("$1:***@");
        masked = inQuery.matcher(masked).replaceAll("$1***");
        masked = inList.matcher(masked).replaceAll("$1***");
        masked = inParentheses.matcher(masked).replaceAll("$1***");
        return AWS_TOKEN.matcher(masked).replaceAll("$1***");
    }
}
