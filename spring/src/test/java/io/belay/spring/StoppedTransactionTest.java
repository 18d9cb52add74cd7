package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.servers.ChildJvm;
import io.belay.servers.MariaDbServer;
import io.belay.servers.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Processes that are stopped inside of their transaction for longer than their lease: nothing that others did is lost. */
@Tag("processes")
class StoppedTransactionTest {
    private static final int PIECES = 100;

    @TempDir
    private Path locks;

    private String store() {
        return "file:" + locks;
    }

    private static void prepare(String database) {
        Belay.prepare(database);
        JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(database));
        jdbc.execute("CREATE TABLE counter (pieces INT)");
        jdbc.update("INSERT INTO counter VALUES (" + PIECES + ")");
    }

    /** Stops a process at a point, and returns when nobody holds the lock any more. */
    private ChildJvm stoppedAt(String point, String database) throws Exception {
        ChildJvm process = ChildJvm.start(CounterProcess.class, store(), database, point);
        assertThat(process.line()).isEqualTo("here");
        process.signal("STOP");
        try (Belay belay = Belay.connect(store())) {
            await().until(() -> belay.lock("counter").tryRun(Duration.ZERO, () -> {}));
        }
        return process;
    }

    private static void goOn(ChildJvm process) throws Exception {
        process.process.outputWriter().write("go\n");
        process.process.outputWriter().flush();
        process.signal("CONT");
    }

    /** It finds that its successor was there, before it has written anything. */
    private void whoIsStoppedBeforeItsFirstStatementIsRefused(String database) throws Exception {
        prepare(database);
        try (AnnotationConfigApplicationContext other = Counter.start(store(), database, new Counter.Points() {});
                ChildJvm stopped = stoppedAt("begun", database)) {
            Counter counter = other.getBean(Counter.class);
            assertThat(counter.count()).isEqualTo(PIECES - 1);
            goOn(stopped);
            assertThat(stopped.line()).isEqualTo("StaleTokenException");
            assertThat(counter.count()).isEqualTo(PIECES - 2);
        }
    }

    /** It has raised the fence, so that its successor waits until it has committed, and sees what it wrote. */
    private void whoIsStoppedBeforeItsCommitIsWaitedFor(String database) throws Exception {
        prepare(database);
        try (AnnotationConfigApplicationContext other = Counter.start(store(), database, new Counter.Points() {});
                ChildJvm stopped = stoppedAt("checked", database)) {
            Counter counter = other.getBean(Counter.class);
            CompletableFuture<Integer> next = CompletableFuture.supplyAsync(counter::count);
            await().until(() -> !other.getBean(Belay.class).holds().isEmpty());
            assertThat(next).isNotDone();
            goOn(stopped);
            assertThat(stopped.line()).isEqualTo("left " + (PIECES - 1));
            assertThat(next.get()).isEqualTo(PIECES - 2);
        }
    }

    @Test
    void onPostgresqlWhoIsStoppedBeforeItsFirstStatementIsRefused() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            whoIsStoppedBeforeItsFirstStatementIsRefused(server.url());
        }
    }

    @Test
    void onPostgresqlWhoIsStoppedBeforeItsCommitIsWaitedFor() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            whoIsStoppedBeforeItsCommitIsWaitedFor(server.url());
        }
    }

    @Test
    void onMariaDbWhoIsStoppedBeforeItsFirstStatementIsRefused() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            whoIsStoppedBeforeItsFirstStatementIsRefused(server.url());
        }
    }

    @Test
    void onMariaDbWhoIsStoppedBeforeItsCommitIsWaitedFor() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            whoIsStoppedBeforeItsCommitIsWaitedFor(server.url());
        }
    }
}
