package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.BelayAdmin;
import io.belay.document.Documents.Change;
import io.belay.document.Documents.Found;
import io.belay.document.Documents.Session;
import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Statements that the server prepares, as the page of HikariCP on MySQL has it: MySQL's driver sends bytes as text there. What is
 * written comes back as it was, long or short, alone or beside others, new or not.
 */
@Tag("drivers")
@Tag("long")
class ServerPreparedTest {
    private static final String PREPARED = "&useServerPrepStmts=true&cachePrepStmts=true";

    /** The second is more than a column for short values takes. */
    private static final int[] LENGTHS = {300, 100_000};

    @Test
    void ofMariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            keepsBytes(server.url());
            keepsBytes(server.mysqlUrl());
        }
    }

    @Test
    void ofMySql() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        try (MySqlServer server = MySqlServer.start()) {
            keepsBytes(server.url());
        }
    }

    private static void keepsBytes(String server) {
        for (String parameters : List.of("", PREPARED)) {
            String url = server + parameters + "&belay-table=t"
                    + UUID.randomUUID().toString().replace("-", "");
            BelayAdmin.prepare(url);
            try (Session session = new JdbcDocuments(Connections.of(JdbcUrl.parse(url))).connect()) {
                for (int length : LENGTHS) {
                    for (int before = 0; before < 3; before++) {
                        areKept(session, List.of("a" + length), before, length);
                        areKept(session, List.of("b" + length, "c" + length), before, length);
                    }
                }
            }
        }
    }

    private static void areKept(Session session, List<String> names, long before, int length) {
        byte[] state = new byte[length];
        new Random(before).nextBytes(state);
        List<Change> changes = names.stream()
                .map(name -> new Change(name, before, before + 1, state, Long.MAX_VALUE))
                .toList();
        assertThat(session.write(changes, Long.MAX_VALUE)).containsExactlyInAnyOrderElementsOf(names);
        Map<String, Found> found = session.read(names).found();
        assertThat(found).containsOnlyKeys(names);
        assertThat(found.values()).allSatisfy(kept -> {
            assertThat(kept.version()).isEqualTo(before + 1);
            assertThat(kept.state()).hasSize(length).isEqualTo(state);
        });
    }
}
