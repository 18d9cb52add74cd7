package io.belay.jdbc;

import io.belay.tck.StoreSpec;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** MariaDB's driver, which stands in for MySQL's where that is not on the class path; by {@code ./verify --servers all}. */
@EnabledIfEnvironmentVariable(named = "BELAY_SERVERS", matches = ".+")
class MySqlByMariaDbTckTest extends MySqlTckTest {
    @Override
    protected StoreSpec open() throws Exception {
        return JdbcSpec.of(server, port -> server.url(port).replace("jdbc:mysql:", "jdbc:mariadb:"), TURNS);
    }
}
