package io.belay.jdbc;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.nio.file.Path;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** H2 as a server, so that other processes reach it. */
@Tag("drivers")
@Tag("costly-elsewhere")
class H2TckTest extends StoreTck {
    @TempDir
    private static Path directory;

    private static Server server;

    @BeforeAll
    static void start() throws Exception {
        server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", directory.toString())
                .start();
    }

    @AfterAll
    static void end() {
        server.stop();
    }

    @Override
    protected StoreSpec open() throws Exception {
        return JdbcSpec.of(server.getPort(), port -> "jdbc:h2:tcp://127.0.0.1:" + port + "/./locks");
    }
}
