package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.util.Properties;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class HikariOriginTest {
    private static final String URL = "jdbc:keeps://h/d";

    /** A driver that keeps what it is given, and connects to nothing. */
    private static final class Keeper implements Driver {
        private final Properties given = new Properties();

        @Override
        public Connection connect(String url, Properties properties) {
            given.putAll(properties);
            return (Connection) Proxy.newProxyInstance(
                    Keeper.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> null);
        }

        @Override
        public boolean acceptsURL(String url) {
            return url.equals(URL);
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    @Test
    void propertiesAreGivenAsThePoolGivesThem() throws Exception {
        Keeper driver = new Keeper();
        DriverManager.registerDriver(driver);
        try (HikariDataSource pool = pool()) {
            ConnectionOrigin origin = HikariOrigin.of(pool);
            assertThat(origin).isNotNull();
            origin.connect(new Properties()).close();
            Properties given = new Properties();
            given.putAll(driver.given);
            driver.given.clear();
            new DriverDataSource(URL, null, pool.getDataSourceProperties(), null, null)
                    .getConnection()
                    .close();
            assertThat(driver.given).isNotEmpty().isEqualTo(given);
        } finally {
            DriverManager.deregisterDriver(driver);
        }
    }

    /** Drivers read texts alone: with true as an object for ssl, PostgreSQL's would connect without. */
    @Test
    void propertiesThatAreNoTextsAreGivenAsTextsWhereThePoolMakesSuchOfThem() {
        try (HikariDataSource pool = pool()) {
            assertThat(HikariOrigin.properties(new Properties(), pool, true))
                    .containsEntry("ssl", "true")
                    .containsEntry("prepareThreshold", "0")
                    .containsEntry("sslrootcert", "ca.pem");
        }
    }

    private static HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(URL);
        pool.addDataSourceProperty("ssl", true);
        pool.addDataSourceProperty("prepareThreshold", 0);
        pool.addDataSourceProperty("sslrootcert", "ca.pem");
        return pool;
    }
}
