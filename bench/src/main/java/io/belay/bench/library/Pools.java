package io.belay.bench.library;

import com.zaxxer.hikari.HikariDataSource;

/** HikariCP, which is what all that lock by JDBC are given. */
final class Pools {
    /** HikariCP's own default. */
    static final int CONNECTIONS = 10;

    private Pools() {}

    static HikariDataSource open(String url, int connections) {
        HikariDataSource source = new HikariDataSource();
        source.setJdbcUrl(url);
        source.setMaximumPoolSize(connections);
        return source;
    }
}
