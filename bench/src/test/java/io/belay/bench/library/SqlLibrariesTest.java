package io.belay.bench.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.bench.store.Store;
import io.belay.bench.store.StoreServer;
import io.belay.servers.MariaDbServer;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** A figure of a lock that does not lock, or that never gives back, would be worth nothing. */
@Tag("drivers")
@Tag("long")
class SqlLibrariesTest {
    @TempDir
    Path directory;

    @Test
    void allLockOnPostgres() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        allLock(Store.POSTGRESQL);
    }

    @Test
    void allLockOnMariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        allLock(Store.MARIADB);
    }

    /** As docs/comparison.md says; whoever gives it a scheduler calls a method that does nothing. */
    @Test
    void springsRegistryOfSqlIsNotRenewedByAScheduler() {
        assertThat(whoTakesAScheduler(RedisLockRegistry.class)).isEqualTo(RedisLockRegistry.class);
        assertThat(whoTakesAScheduler(JdbcLockRegistry.class)).isEqualTo(RenewableLockRegistry.class);
    }

    private static Class<?> whoTakesAScheduler(Class<?> registry) {
        return Arrays.stream(registry.getMethods())
                .filter(method -> method.getName().equals("setRenewalTaskScheduler"))
                .findFirst()
                .orElseThrow()
                .getDeclaringClass();
    }

    private void allLock(Store store) throws Exception {
        List<Library> libraries = Libraries.all(store).stream()
                .filter(library -> library.store().equals(store.title()))
                .filter(library -> !library.ours() || library.name().equals("belay"))
                .toList();
        assertThat(libraries).hasSize(5);
        try (StoreServer server = store.start()) {
            server.clear();
            Site site = new Site(URI.create(server.url()), directory);
            for (Library library : libraries) {
                locks(library, site);
            }
            server.clear();
            for (Library library : libraries) {
                try (Locks locks = library.open(site)) {
                    assertThat(tryLock(library, locks))
                            .as("%s, after a clear", library.name())
                            .isNotNull();
                }
            }
        }
    }

    private static void locks(Library library, Site site) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Locks one = library.open(site);
                Locks other = library.open(site)) {
            Held held = one.mutex(library.name()).acquire();
            assertThat(tryLock(library, other))
                    .as("%s, held by another", library.name())
                    .isNull();
            if (library instanceof ShedLockLibrary) {
                held.release();
            } else {
                Future<?> waiter = thread.submit(() -> {
                    other.mutex(library.name()).acquire().release();
                    return null;
                });
                held.release();
                waiter.get(Pace.seconds(), TimeUnit.SECONDS);
            }
            held = tryLock(library, other);
            // Not given back: that is for the clear.
            assertThat(held).as("%s, free again", library.name()).isNotNull();
        } finally {
            thread.shutdownNow();
        }
    }

    private static @Nullable Held tryLock(Library library, Locks locks) {
        return ((TryMutex) locks.mutex(library.name())).tryAcquire();
    }
}
