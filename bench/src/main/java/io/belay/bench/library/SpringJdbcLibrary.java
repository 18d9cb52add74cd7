package io.belay.bench.library;

import com.zaxxer.hikari.HikariDataSource;
import io.belay.bench.store.Store;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Spring Integration's registry, on a server, or on a database in a file inside the process that locks.
 *
 * @param name the setting's name
 * @param store the database
 * @param idle how long a waiter sleeps between its tries
 * @param connections how many connections there are at most
 * @param settings what is set, for the report
 */
record SpringJdbcLibrary(String name, String store, Duration idle, int connections, String settings)
        implements Library {
    private static final String H2 = "h2";
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration IDLE = Duration.ofMillis(100);
    private static final Duration SHORT_IDLE = Duration.ofMillis(5);
    private static final int THREADS_IN_ONE_PROCESS = 32;

    /** Returns the setting with a database inside the process, and so with no network at all. */
    static Library inProcess() {
        return new SpringJdbcLibrary(
                "spring-jdbc",
                H2,
                IDLE,
                THREADS_IN_ONE_PROCESS,
                "`JdbcLockRegistry` with `DefaultLockRepository` over HikariCP (" + THREADS_IN_ONE_PROCESS
                        + " connections) on H2 in a file of its own process: no network. Not a like for like, but what such a"
                        + " registry costs at best.");
    }

    static Library on(Store store) {
        return onServer(
                store,
                "",
                IDLE,
                "as it comes, where a waiter of another process tries again every " + IDLE.toMillis() + " ms.");
    }

    /** Returns the setting with short waits between tries, for the processor time that they cost. */
    static Library tuned(Store store) {
        return onServer(
                store,
                "-tuned",
                SHORT_IDLE,
                "with `setIdleBetweenTries(" + SHORT_IDLE.toMillis() + " ms)`, for those to whom " + IDLE.toMillis()
                        + " ms are too long.");
    }

    private static Library onServer(Store store, String suffix, Duration idle, String waiting) {
        String hint = store == Store.POSTGRESQL
                ? ", and `ON CONFLICT DO NOTHING` behind its INSERT, which its documentation has for PostgreSQL"
                : "";
        return new SpringJdbcLibrary(
                "spring-jdbc-registry" + suffix,
                store.title(),
                idle,
                Pools.CONNECTIONS,
                "`JdbcLockRegistry` with `DefaultLockRepository` over HikariCP (" + Pools.CONNECTIONS
                        + " connections, as it comes), the tables that come with it" + hint + "; expiry "
                        + LEASE.toSeconds() + " s, not renewed; " + waiting);
    }

    @Override
    public Locks open(Site site) {
        boolean inProcess = store.equals(H2);
        HikariDataSource source = Pools.open(
                inProcess
                        ? "jdbc:h2:file:" + site.directory().resolve("locks") + ";DB_CLOSE_ON_EXIT=FALSE"
                        : site.server().toString(),
                connections);
        if (inProcess) {
            DatabasePopulatorUtils.execute(
                    new ResourceDatabasePopulator(
                            new ClassPathResource("org/springframework/integration/jdbc/schema-h2.sql")),
                    source);
        }
        DefaultLockRepository repository = new DefaultLockRepository(source);
        repository.setTransactionManager(new JdbcTransactionManager(source));
        repository.afterPropertiesSet();
        if (store.equals(Store.POSTGRESQL.title())) {
            repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        }
        repository.afterSingletonsInstantiated();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository, LEASE);
        registry.setIdleBetweenTries(idle);
        return new SpringLocks(registry, source);
    }

    private record SpringLocks(JdbcLockRegistry registry, HikariDataSource source) implements Locks, ReentrantLocks {
        @Override
        public Mutex mutex(String name) {
            return new JdkMutex(reentrant(name), () -> true);
        }

        @Override
        public Lock reentrant(String name) {
            return registry.obtain(name);
        }

        @Override
        public void close() {
            source.close();
        }
    }
}
