package io.belay.support;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables of a URL, in which {@code ${NAME}} stands for an environment variable. Whoever opens the URL expands
 * them, once: a value may be a password, and what looks like a variable in it is a part of it.
 */
public final class UrlVariables {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");

    private UrlVariables() {}

    /**
     * Puts the values of this process's environment variables in the place of their names. A value is put in as it is:
     * nothing in it is expanded, encoded or escaped.
     *
     * @throws IllegalArgumentException if a variable is not set; the message names it and says what to do
     */
    public static String expand(String url) {
        return expand(url, System.getenv());
    }

    /**
     * Does the same with variables from elsewhere.
     *
     * @param url the URL as it was written
     * @param variables the values by their names
     * @throws IllegalArgumentException as for {@link #expand(String)}
     */
    public static String expand(String url, Map<String, String> variables) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(variables, "variables");
        return VARIABLE.matcher(url).replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), variables)));
    }

    private static String value(String name, Map<String, String> variables) {
        String value = variables.get(name);
        if (value == null) {
            throw new IllegalArgumentException(OneLine.of("the environment variable '" + name
                    + "', which a URL names, is not set: export it, or write the URL without it"));
        }
        return value;
    }
}
