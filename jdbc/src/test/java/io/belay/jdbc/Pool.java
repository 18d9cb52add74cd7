package io.belay.jdbc;

import com.alibaba.druid.pool.DruidDataSource;
import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionFactoryConfiguration.TransactionIsolation;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;

/**
 * The pools that are tried, each as it comes; Agroal with what tells it that a connection is broken, as Quarkus sets it up.
 * All but that one, which lets nobody write then, and c3p0 are read-only by default.
 */
enum Pool {
    HIKARI {
        @Override
        DataSource open(String url, int size) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(url);
            pool.setMaximumPoolSize(size);
            pool.setAutoCommit(false);
            pool.setReadOnly(true);
            pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
            return pool;
        }
    },
    /** One that Belay cannot see into. */
    WRAPPED_HIKARI {
        @Override
        DataSource open(String url, int size) throws Exception {
            return wrap(HIKARI.open(url, size));
        }
    },
    TOMCAT {
        @Override
        DataSource open(String url, int size) {
            org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
            pool.setUrl(url);
            pool.setDriverClassName("org.postgresql.Driver");
            pool.setMaxActive(size);
            pool.setMaxIdle(size);
            pool.setInitialSize(0);
            pool.setDefaultAutoCommit(false);
            pool.setDefaultReadOnly(true);
            pool.setDefaultTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            return pool;
        }
    },
    DBCP {
        @Override
        DataSource open(String url, int size) {
            BasicDataSource pool = new BasicDataSource();
            pool.setUrl(url);
            pool.setMaxTotal(size);
            pool.setMaxWait(
                    Duration.ofMinutes(10)); // without a limit, whoever waits while another connects asks at full speed
            pool.setDefaultAutoCommit(false);
            pool.setDefaultReadOnly(true);
            pool.setDefaultTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            return pool;
        }
    },
    AGROAL {
        @Override
        DataSource open(String url, int size) throws Exception {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(size)
                            .exceptionSorter(new PostgreSQLExceptionSorter())
                            .connectionFactoryConfiguration(factory -> factory.jdbcUrl(url)
                                    .autoCommit(false)
                                    .jdbcTransactionIsolation(TransactionIsolation.REPEATABLE_READ))));
        }
    },
    C3P0 {
        @Override
        DataSource open(String url, int size) {
            ComboPooledDataSource pool = new ComboPooledDataSource();
            pool.setJdbcUrl(url);
            pool.setMinPoolSize(0);
            pool.setInitialPoolSize(0);
            pool.setMaxPoolSize(size);
            return pool;
        }
    },
    DRUID {
        @Override
        DataSource open(String url, int size) {
            DruidDataSource pool = new DruidDataSource();
            pool.setUrl(url);
            pool.setMaxActive(size);
            pool.setDefaultAutoCommit(false);
            pool.setDefaultReadOnly(true);
            pool.setDefaultTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            return pool;
        }
    };

    /** Opens one of at most so many connections. */
    abstract DataSource open(String url, int size) throws Exception;

    /** Ends a pool that was opened here. */
    static void close(DataSource pool) throws Exception {
        DataSource real = pool.isWrapperFor(HikariDataSource.class) ? pool.unwrap(HikariDataSource.class) : pool;
        if (real instanceof AutoCloseable closeable) {
            closeable.close();
        } else if (real instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat) {
            tomcat.close(true);
        }
    }

    private static DataSource wrap(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                Pool.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
