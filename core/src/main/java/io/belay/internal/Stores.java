package io.belay.internal;

import io.belay.UnusableStoreException;
import io.belay.spi.StoreProvider;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the store for a URL. */
final class Stores {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");

    private Stores() {}

    /** The provider of the URL's scheme. The URL may hold a password, so messages name the scheme only. */
    static StoreProvider provider(String url) {
        int colon = url.indexOf(':');
        String scheme = colon <= 0 ? "" : url.substring(0, colon);
        TreeSet<String> known = new TreeSet<>();
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
            known.addAll(provider.schemes());
        }
        String hint = "; known are " + String.join(":, ", known) + ": (other stores need their module, belay-redis for"
                + " example, on the class path)";
        throw new UnusableStoreException(
                scheme.isEmpty()
                        ? "The store's URL has no scheme" + hint
                        : "The store's URL has the unknown scheme '" + scheme + ":'" + hint,
                null);
    }

    /** The URL with every {@code ${NAME}} replaced by that environment variable. */
    static String expand(String url) {
        Matcher matcher = VARIABLE.matcher(url);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            @Nullable String value = System.getenv(matcher.group(1));
            if (value == null) {
                throw new UnusableStoreException(
                        "The store's URL names the environment variable '" + matcher.group(1)
                                + "', which is not set; set it or write the URL without it",
                        null);
            }
            matcher.appendReplacement(result, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(result).toString();
    }
}
