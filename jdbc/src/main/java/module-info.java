/** Belay's locks in a SQL database. */
module io.belay.jdbc {
    requires transitive io.belay;
    requires io.belay.stores;
    requires transitive java.sql;
    requires static org.jspecify;
    requires static com.zaxxer.hikari;
    requires static org.postgresql.jdbc;
    requires static org.xerial.sqlitejdbc;

    exports io.belay.jdbc;

    uses java.sql.Driver;

    provides io.belay.spi.StoreProvider with
            io.belay.jdbc.JdbcStoreProvider;
}
