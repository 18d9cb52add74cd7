package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.h2.tools.SimpleResultSet;
import org.junit.jupiter.api.Test;

class ServerWatchTest {
    /** Another name of the same statement came with MySQL 8.0.22. */
    @Test
    void aReplicaOfAnOlderMySqlIsSeen() {
        Statement statement = StandIn.of(Statement.class, (method, sql) -> {
            if (!sql.equals("SHOW SLAVE STATUS")) {
                throw new SQLException("You have an error in your SQL syntax", "42000", 1064);
            }
            SimpleResultSet status = new SimpleResultSet();
            status.addColumn("Master_Host", Types.VARCHAR, 0, 0);
            status.addColumn("Seconds_Behind_Master", Types.BIGINT, 0, 0);
            status.addRow("10.0.0.1", 7);
            return status;
        });
        Connection connection = StandIn.of(Connection.class, (method, text) -> {
            if (method.equals("createStatement")) {
                return statement;
            }
            throw new SQLException("not known");
        });
        try (Connections source = Connections.of(JdbcUrl.parse("jdbc:mariadb://h/d"))) {
            assertThat(ServerWatch.of(connection, source))
                    .filteredOn(finding -> finding.subject().equals("replicas"))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.finding())
                            .startsWith("The server is a replica of 10.0.0.1, 7 s behind:"));
        }
    }
}
