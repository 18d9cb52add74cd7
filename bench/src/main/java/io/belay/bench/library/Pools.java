package io.belay.bench.library;

import com.zaxxer.hikari.HikariDataSource;

/** The pool of HikariCP's that each library gets that locks by JDBC. */
final class Pools {
    /** The number of connections that is HikariCP's own default. */
    static final int CONNECTIONS = 10;

    private Pools() {}

    static HikariDataSource open(String url, int connections) {
        HikariDataSource source = new HikariDataSource();
        source.setJdbcUrl(url);
        source.setMaximumPoolSize(connections);
        return source;
    }
}
