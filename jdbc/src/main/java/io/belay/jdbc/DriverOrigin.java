package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/**
 * An origin that makes connections by a driver.
 *
 * @param url the driver's own
 * @param login the user and the password, if the URL does not hold them
 */
record DriverOrigin(String url, Properties login) implements ConnectionOrigin {
    @Override
    public Connection connect(Properties defaults) throws SQLException {
        Properties all = new Properties();
        all.putAll(defaults);
        all.putAll(login);
        return connect(url, all);
    }

    /** Connects with those properties that the URL does not set itself. */
    static Connection connect(String url, Properties properties) throws SQLException {
        Properties unset = new Properties();
        properties.forEach((name, value) -> {
            if (!sets(url, name + "=")) {
                unset.put(name, value);
            }
        });
        if (url.startsWith("jdbc:sqlite:")) {
            NativeAccess.explain(Drivers.of(url).getClass());
        }
        if (url.startsWith("jdbc:postgresql:")) {
            return PostgresHosts.connect(url, unset);
        }
        Optional<String> standIn = MySqlStandIn.url(url);
        return standIn.isPresent() ? MySqlStandIn.connect(standIn.get(), unset) : Drivers.connect(url, unset);
    }

    /** Returns whether a URL sets a parameter. H2 knows each in any capitals, and refuses one that comes twice. */
    private static boolean sets(String given, String parameter) {
        boolean h2 = given.startsWith("jdbc:h2:");
        String url = h2 ? given.toLowerCase(Locale.ROOT) : given;
        String name = h2 ? parameter.toLowerCase(Locale.ROOT) : parameter;
        return url.contains("?" + name) || url.contains("&" + name) || url.contains(";" + name);
    }

    @Override
    public boolean isBorrowed() {
        return false;
    }

    @Override
    public boolean mayChangeLogin() {
        return false;
    }

    /** Returns a text without what may hold a password. */
    @Override
    public String toString() {
        return "DriverOrigin";
    }
}
