package io.belay.internal;

import io.belay.StoreMisconfiguredException;
import io.belay.internal.claim.Engine;
import io.belay.spi.Finding;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import io.belay.support.UrlVariables;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** The look-up of the store for a URL, and what is done with that besides to connect. */
public final class Stores {
    /** The form of a scheme: where there is none, what stands before the first colon may be part of a password. */
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]{0,30}");

    /** The artifacts that bring a store each, by the schemes of its URLs. */
    static final Map<String, String> ARTIFACTS = Map.ofEntries(
            Map.entry("memory", "belay-core"),
            Map.entry("file", "belay-file"),
            Map.entry("quorum", "belay-quorum"),
            Map.entry("redis", "belay-redis"),
            Map.entry("rediss", "belay-redis"),
            Map.entry("unix", "belay-redis"),
            Map.entry("redis-cluster", "belay-redis"),
            Map.entry("rediss-cluster", "belay-redis"),
            Map.entry("redis-sentinel", "belay-redis"),
            Map.entry("rediss-sentinel", "belay-redis"),
            Map.entry("etcd", "belay-etcd"),
            Map.entry("etcds", "belay-etcd"),
            Map.entry("zookeeper", "belay-zookeeper"),
            Map.entry("zookeepers", "belay-zookeeper"),
            Map.entry("jdbc", "belay-jdbc"),
            Map.entry("mongodb", "belay-mongodb"),
            Map.entry("mongodb+srv", "belay-mongodb"));

    private Stores() {}

    /** Examines the store behind a URL; see {@link io.belay.BelayAdmin#examine(String)}. */
    public static List<Finding> examine(String url) {
        return with(
                url,
                (provider, expanded) -> provider.examine(expanded).stream()
                        .sorted(Comparator.comparing(Finding::severity))
                        .toList());
    }

    /** Returns what has to be made in the store; see {@link io.belay.BelayAdmin#schema(String)}. */
    public static Optional<String> schema(String url) {
        return with(url, StoreProvider::schema);
    }

    /** Makes in the store what its schema says; see {@link io.belay.BelayAdmin#prepare(String)}. */
    public static void prepare(String url) {
        with(url, (provider, expanded) -> {
            provider.prepare(expanded);
            return url;
        });
    }

    /** Does something with the provider of a URL, and the URL as that is to have it. */
    static <T> T with(String url, BiFunction<StoreProvider, String, T> question) {
        String expanded = expand(url);
        try {
            return question.apply(provider(expanded), expanded);
        } catch (StoreException e) {
            throw Engine.failure("", e);
        }
    }

    /** Returns the provider of the URL's scheme. The URL may hold a password, so messages name the scheme only. */
    static StoreProvider provider(String url) {
        int colon = url.indexOf(':');
        String scheme = url.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
        TreeSet<String> known = new TreeSet<>();
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
            known.addAll(provider.schemes());
        }
        String artifact = ARTIFACTS.get(scheme);
        if (artifact != null) {
            throw new StoreMisconfiguredException(
                    "The store for " + scheme + ": is missing: add " + artifact + " to the class or"
                            + " module path (in one jar made of all: merge META-INF/services; by jlink: add its module)",
                    null);
        }
        String hint = "; known are " + String.join(":, ", known) + ": (other stores need their artifact on the"
                + " class or module path)";
        throw new StoreMisconfiguredException(
                !SCHEME.matcher(scheme).matches() || !url.startsWith("://", colon)
                        ? "The store's URL has no scheme that is known" + hint
                        : "The store's URL has the unknown scheme '" + scheme + ":'" + hint,
                null);
    }

    /** Returns the URL with every {@code ${NAME}} replaced by that environment variable. */
    static String expand(String url) {
        try {
            return UrlVariables.expand(url);
        } catch (IllegalArgumentException e) {
            throw new StoreMisconfiguredException(String.valueOf(e.getMessage()), e);
        }
    }
}
