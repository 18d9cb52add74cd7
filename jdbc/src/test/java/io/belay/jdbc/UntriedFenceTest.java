package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.StoreMisconfiguredException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A fence in a database that is not there for the tests, and keeps no locks. */
class UntriedFenceTest {
    @ParameterizedTest
    @CsvSource({"Oracle, 42000, 942", "Microsoft SQL Server, S0002, 208", "DB2/LINUXX8664, 42704, -204"})
    void aTableThatIsNotThereIsToldWithTheWayToMakeIt(String product, String state, int code) {
        PreparedStatement statement = StandIn.of(PreparedStatement.class, (method, text) -> {
            if (method.startsWith("set")) {
                return null;
            }
            throw new SQLException("no such thing", state, code);
        });
        DatabaseMetaData server = StandIn.of(DatabaseMetaData.class, (method, text) -> product);
        Connection connection = StandIn.of(Connection.class, (method, text) -> switch (method) {
            case "getAutoCommit" -> false;
            case "getMetaData" -> server;
            default -> statement;
        });
        assertThatThrownBy(() -> SqlFence.standard().raise(connection, "stock", 1))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContainingAll("no table belay_fence", "CREATE TABLE belay_fence (name ")
                .hasMessageNotContaining("belay schema");
        assertThatThrownBy(() -> SqlFence.standard().reset(connection, "stock"))
                .isInstanceOf(StoreMisconfiguredException.class);
    }
}
