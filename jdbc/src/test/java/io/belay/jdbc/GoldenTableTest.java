package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.fence.StaleTokenException;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables as an earlier version has made them, with a lock in them that has a queue, and a fence: a client reads them, goes on with
 * them, and needs nothing that they do not have. They are never changed; a new layout gets new ones beside them.
 */
class GoldenTableTest {
    private static final Path TABLES = Path.of("src", "test", "resources", "golden");

    /** The last sequence in the record, and the token of the fence. */
    private static final long LAST = 1_800_000_000_000_070L;

    private static final long TOKEN = 1_843_200_000_000_000_000L;
    private static final long CLIENT = 7;

    @TempDir
    private Path directory;

    private static void make(Connection connection, String tables) throws Exception {
        try (Statement statement = connection.createStatement()) {
            for (String line : Files.readString(TABLES.resolve(tables)).split(";\n")) {
                statement.execute(line);
            }
        }
    }

    private static final class Unheard implements Store.Listener {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    }

    /** At the level of requests, as what is held in the record and what has ended depends on the day. */
    private static void isReadAndGoesOn(String url) {
        try (Store store = new JdbcStoreProvider().open(url, CLIENT, new Unheard())) {
            Resource read =
                    store.inspect("x").toCompletableFuture().join().resource().orElseThrow();
            assertThat(read.last()).isEqualTo(LAST);
            Request.Enter enter = Request.Enter.of(
                    "x",
                    ClaimId.of(CLIENT, 1),
                    ClaimSpec.whole(30_000_000),
                    0,
                    Owner.of("client", "host", 1, "thread"));
            Answer answer = store.send(enter).toCompletableFuture().join();
            assertThat(answer.sequence()).isGreaterThan(LAST);
            assertThat(store.inspect("x")
                            .toCompletableFuture()
                            .join()
                            .resource()
                            .orElseThrow()
                            .claims())
                    .anySatisfy(claim -> assertThat(claim.id()).isEqualTo(ClaimId.of(CLIENT, 1)));
        }
    }

    private static void fenceStands(Connection connection) throws Exception {
        TestLease late = new TestLease("x", TOKEN - 1);
        TestLease next = new TestLease("x", TOKEN + 1);
        connection.setAutoCommit(false);
        SqlFence fence = SqlFence.standard();
        assertThatThrownBy(() -> fence.raise(connection, late)).isInstanceOf(StaleTokenException.class);
        connection.rollback();
        fence.raise(connection, next);
        connection.commit();
    }

    @Test
    void tablesOfH2() throws Exception {
        String url = "jdbc:h2:mem:golden;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url)) {
            make(connection, "table-h2.sql");
            isReadAndGoesOn(url);
            fenceStands(connection);
        }
    }

    @Test
    void tablesOfSqlite() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("golden.db");
        try (Connection connection = DriverManager.getConnection(url)) {
            make(connection, "table-sqlite.sql");
            isReadAndGoesOn(url + "?belay-own-file=false");
            fenceStands(connection);
        }
    }
}
