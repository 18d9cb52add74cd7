package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.UnusableStoreException;
import io.belay.servers.MariaDbServer;
import io.belay.servers.PostgresServer;
import io.belay.spi.Finding;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code belay doctor} says of databases. */
@Tag("drivers")
class ExaminationTest {
    @Test
    void postgresThatForgetsIsADanger() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            assertThatThrownBy(() -> Belay.examine(server.url()))
                    .isInstanceOf(UnusableStoreException.class)
                    .hasMessageContaining("belay_lock")
                    .hasMessageContaining("add belay-create=true");
            assertThatThrownBy(() -> Belay.examine(server.url() + "&belay-create=true"))
                    .hasMessageContaining("belay_lock")
                    .hasMessageNotContaining("add belay-create=true");
            Belay.prepare(server.url());
            assertThat(Belay.examine(server.url()))
                    .extracting(Finding::finding)
                    .singleElement()
                    .asString()
                    .startsWith("fsync is off");
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER USER postgres SET synchronous_commit = off");
            }
            assertThat(Belay.examine(server.url()))
                    .extracting(Finding::severity)
                    .containsExactly(Finding.Severity.DANGER, Finding.Severity.DANGER);
        }
    }

    @Test
    void mariaDbThatForgetsIsADanger() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.builder().withoutFsync().start()) {
            Belay.prepare(server.url());
            assertThat(Belay.examine(server.url()))
                    .extracting(Finding::severity)
                    .containsExactly(Finding.Severity.DANGER);
        }
    }

    @Test
    void embeddedDatabasesSayHowFarTheyReach(@TempDir Path directory) {
        String file = "jdbc:h2:file:" + directory.resolve("h2");
        Belay.prepare(file);
        assertThat(Belay.examine(file)).isEmpty();
        String sqlite = "jdbc:sqlite:" + directory.resolve("sqlite.db");
        Belay.prepare(sqlite);
        for (String url : new String[] {
            "jdbc:h2:mem:examined;INIT=CREATE TABLE IF NOT EXISTS belay_lock ("
                    + "name VARBINARY(512), version BIGINT, state VARBINARY, forget BIGINT)",
            sqlite
        }) {
            assertThat(Belay.examine(url)).extracting(Finding::severity).containsExactly(Finding.Severity.NOTE);
        }
    }
}
