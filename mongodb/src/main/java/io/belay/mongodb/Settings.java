package io.belay.mongodb;

import io.belay.spi.StoreException;
import io.belay.support.UrlDuration;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The settings of a database that are Belay's own, and not its driver's.
 *
 * @param collection the collection of locks
 * @param timeout the longest to wait for the database
 * @param watch whether a client gets calls by a change stream, where there is one
 */
record Settings(String collection, Duration timeout, boolean watch) {
    private static final Pattern COLLECTION = Pattern.compile("(?!system\\.)[A-Za-z_][A-Za-z0-9_.-]{0,99}");

    static final Settings DEFAULT = new Settings("belay_lock", Duration.ofSeconds(5), true);

    Settings {
        if (!COLLECTION.matcher(collection).matches()) {
            throw StoreException.unusable(
                    "The name of the collection must be letters, digits, '_', '.' and '-', begin with a letter or '_',"
                            + " and not with 'system.'",
                    null);
        }
        if (timeout.compareTo(Duration.ofMillis(100)) < 0 || timeout.compareTo(Duration.ofMinutes(10)) > 0) {
            throw StoreException.unusable("The time-out of a database must be between 100ms and 10m", null);
        }
    }

    /** Returns a copy with another value for a parameter of the URL, {@code belay-} not included. */
    Settings with(String parameter, String value) {
        return switch (parameter) {
            case "collection" -> new Settings(value, timeout, watch);
            case "timeout" -> withTimeout(duration(value));
            case "watch" -> new Settings(collection, timeout, truth(value));
            default ->
                throw wrong("has a parameter that is not known; those of Belay are belay-collection, belay-timeout,"
                        + " belay-watch");
        };
    }

    Settings withTimeout(Duration changed) {
        return new Settings(collection, changed, watch);
    }

    private static Duration duration(String text) {
        return UrlDuration.parse(text)
                .orElseThrow(() -> wrong("has a 'belay-timeout' that is not like 500ms, 2s or 1m"));
    }

    private static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw wrong("has a 'belay-watch' that is neither true nor false");
        }
        return text.equals("true");
    }

    static StoreException wrong(String what) {
        return StoreException.unusable("The URL of the store " + what, null);
    }
}
