package io.belay.spring.boot;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.util.PlaceholderResolutionException;

/**
 * The property {@code belay.url}. Where all its variables are environment variables it is left to Belay, which puts their
 * values in as they are: Spring would look for placeholders in a password, too.
 */
final class StoreUrl {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");

    private StoreUrl() {}

    static Optional<String> of(Environment environment) {
        return new Binder(ConfigurationPropertySources.get(environment), PlaceholdersResolver.NONE)
                .bind("belay.url", String.class)
                .map(url -> isOfVariables(url) ? url : resolved(environment, url))
                .map(url -> Optional.of(checked(environment, url)))
                .orElseGet(Optional::empty);
    }

    /** Refuses what would have the locks of one instance somewhere else than those of the others. */
    private static String checked(Environment environment, String url) {
        if (url.isBlank()) {
            throw new SetupException(
                    "The property belay.url is empty.",
                    "Give it the URL of a store, or remove it to lock in what the application has.");
        }
        String table = "belay.jdbc.table";
        if (url.startsWith("jdbc:")
                && Binder.get(environment).bind(table, String.class).isBound()) {
            throw new SetupException(
                    "The property " + table + " is for a database of the application's own, and belay.url is set.",
                    "Write belay-table=... into the URL, or remove " + table + ".");
        }
        return url;
    }

    private static String resolved(Environment environment, String url) {
        try {
            return environment.resolveRequiredPlaceholders(url);
        } catch (PlaceholderResolutionException e) { // which has the URL, and so a password that is written there
            throw new SetupException(
                    "The property belay.url names '" + e.getPlaceholder()
                            + "', which is not set, or stands for itself.",
                    "Set that property, or environment variable.");
        }
    }

    private static boolean isOfVariables(String url) {
        return VARIABLE.matcher(url)
                .results()
                .map((MatchResult variable) -> variable.group(1))
                .allMatch(name -> System.getenv(name) != null);
    }
}
