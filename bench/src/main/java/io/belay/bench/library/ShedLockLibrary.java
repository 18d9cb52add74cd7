package io.belay.bench.library;

import com.zaxxer.hikari.HikariDataSource;
import io.belay.bench.store.Store;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * ShedLock in a table.
 *
 * @param on the database
 */
record ShedLockLibrary(Store on) implements Library {
    private static final Duration LEASE = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "shedlock-jdbc";
    }

    @Override
    public String store() {
        return on.title();
    }

    @Override
    public String settings() {
        return "`JdbcTemplateLockProvider` with `usingDbTime()`, as its documentation recommends, over HikariCP ("
                + Pools.CONNECTIONS + " connections, as it comes); `lockAtMostFor` " + LEASE.toSeconds()
                + " s, not extended, `lockAtLeastFor` 0. It never waits, so that it is only where nobody does.";
    }

    @Override
    public Locks open(Site site) {
        HikariDataSource source = Pools.open(site.server().toString(), Pools.CONNECTIONS);
        LockProvider provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(source))
                .usingDbTime()
                .build());
        return new Locks() {
            @Override
            public Mutex mutex(String name) {
                return new ShedLockMutex(provider, name);
            }

            @Override
            public void close() {
                source.close();
            }
        };
    }

    private static final class ShedLockMutex extends ImpatientMutex {
        private final LockProvider provider;
        private final String name;

        ShedLockMutex(LockProvider provider, String name) {
            this.provider = provider;
            this.name = name;
        }

        @Override
        public @Nullable Held tryAcquire() {
            return provider.lock(new LockConfiguration(Instant.now(), name, LEASE, Duration.ZERO))
                    .map(ShedLockHeld::new)
                    .orElse(null);
        }
    }

    private record ShedLockHeld(SimpleLock lock) implements Held {
        @Override
        public void release() {
            lock.unlock();
        }

        /** Returns true, as ShedLock does not tell. */
        @Override
        public boolean isHeld() {
            return true;
        }
    }
}
