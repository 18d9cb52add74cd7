package io.belay.jdbc;

import io.belay.spi.StoreException;
import io.belay.support.UrlDuration;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The settings of a database that are Belay's own, and not its driver's.
 *
 * @param table the table of locks
 * @param fence the table of fencing tokens
 * @param timeout the longest to wait for the database
 * @param create whether to make tables that are not there
 * @param bell whether clients of PostgreSQL tell each other of grants; else they ask, as on the other databases
 */
record Settings(String table, String fence, Duration timeout, boolean create, boolean bell) {
    private static final Pattern TABLE =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z_][A-Za-z0-9_]{0,62})?");

    static final Settings DEFAULT = new Settings("belay_lock", "belay_fence", Duration.ofSeconds(5), false, true);

    Settings {
        check("table", table);
        check("fence table", fence);
        if (timeout.compareTo(Duration.ofMillis(100)) < 0 || timeout.compareTo(Duration.ofMinutes(10)) > 0) {
            throw StoreException.unusable("The time-out of a database must be between 100ms and 10m", null);
        }
    }

    static boolean isTable(String name) {
        return TABLE.matcher(name).matches();
    }

    private static void check(String what, String name) {
        if (!isTable(name)) {
            throw StoreException.unusable(
                    "The name of the " + what
                            + " must be letters, digits and _, perhaps with a schema and a dot before it",
                    null);
        }
    }

    /** Returns a copy with another value for a parameter of the URL, {@code belay-} not included. */
    Settings with(String parameter, String value) {
        return switch (parameter) {
            case "table" -> new Settings(value, fence, timeout, create, bell);
            case "fence" -> new Settings(table, value, timeout, create, bell);
            case "timeout" -> withTimeout(duration(value));
            case "create" -> new Settings(table, fence, timeout, truth(parameter, value), bell);
            case "bell" -> new Settings(table, fence, timeout, create, truth(parameter, value));
            default ->
                throw wrong("has a parameter that is not known; those of Belay are belay-bell, belay-create,"
                        + " belay-fence, belay-table, belay-timeout, and with SQLite belay-own-file");
        };
    }

    Settings withTimeout(Duration changed) {
        return new Settings(table, fence, changed, create, bell);
    }

    private static Duration duration(String text) {
        return UrlDuration.parse(text)
                .orElseThrow(() -> wrong("has a 'belay-timeout' that is not like 500ms, 2s or 1m"));
    }

    static boolean truth(String parameter, String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw wrong("has a 'belay-" + parameter + "' that is neither true nor false");
        }
        return text.equals("true");
    }

    static StoreException wrong(String what) {
        return StoreException.unusable("The URL of the store " + what, null);
    }
}
