package io.belay.bench.library;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's registry on a database in a file, inside the process that locks: no network at all. */
final class SpringJdbcLibrary implements Library {
    private static final int CONNECTIONS = 32;

    @Override
    public String name() {
        return "spring-jdbc";
    }

    @Override
    public String store() {
        return "h2";
    }

    @Override
    public String settings() {
        return "`JdbcLockRegistry` with `DefaultLockRepository` over HikariCP (" + CONNECTIONS
                + " connections) on H2 in a file of its own process: no network. Not a like for like, but what such a"
                + " registry costs at best.";
    }

    @Override
    public Locks open(Site site) {
        HikariDataSource source = new HikariDataSource();
        source.setJdbcUrl("jdbc:h2:file:" + site.directory().resolve("locks") + ";DB_CLOSE_ON_EXIT=FALSE");
        source.setMaximumPoolSize(CONNECTIONS);
        // As in the schema that comes with the registry, which has more tables than this one.
        new JdbcTemplate(source)
                .execute(
                        "CREATE TABLE IF NOT EXISTS INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL,"
                                + " CLIENT_ID CHAR(36), CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER TIMESTAMP NOT NULL,"
                                + " CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION))");
        DefaultLockRepository repository = new DefaultLockRepository(source);
        repository.setTransactionManager(new JdbcTransactionManager(source));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository, Duration.ofSeconds(30));
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
