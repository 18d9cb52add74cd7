package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The hosts in a URL of PostgreSQL's. Its driver asks them in turn, but within one time limit for all, which the first uses up
 * if it is silent: so each is the first for its part of the time.
 */
final class PostgresHosts {
    private static final List<String> LIMITS = List.of("connectTimeout", "loginTimeout");

    /** The first digits of the state of a failure to connect; a password that is refused is not tried again. */
    private static final String UNCONNECTED = "08";

    private PostgresHosts() {}

    static Connection connect(String url, Properties properties) throws SQLException {
        List<String> urls = JdbcUrl.byHost(url);
        Properties parts = urls.size() > 1 ? divided(properties, urls.size()) : properties;
        @Nullable SQLException failure = null;
        for (String each : urls) {
            try {
                return Drivers.connect(each, parts);
            } catch (SQLException e) {
                if (!String.valueOf(e.getSQLState()).startsWith(UNCONNECTED)) {
                    throw e;
                } else if (failure == null || Failures.isRefused(failure)) {
                    failure = e; // one host that refuses is nothing to give up for while another is away
                }
            }
        }
        throw Objects.requireNonNull(failure, "no host");
    }

    private static Properties divided(Properties properties, int parts) {
        Properties divided = new Properties();
        divided.putAll(properties);
        // Else the driver passes over those that another user of it has just met, and does not tell of them.
        divided.put("hostRecheckSeconds", "0");
        for (String limit : LIMITS) {
            String seconds = String.valueOf(properties.get(limit));
            if (seconds.matches("[1-9]\\d{0,8}")) {
                divided.put(limit, Integer.toString(Math.max(1, Integer.parseInt(seconds) / parts)));
            }
        }
        return divided;
    }
}
