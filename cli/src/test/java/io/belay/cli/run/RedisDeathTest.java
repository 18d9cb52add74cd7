package io.belay.cli.run;

import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** On a Redis, where nobody knows of a death before the lease is over. */
@Tag("commands")
@Tag("long")
class RedisDeathTest extends DeathSuite {
    private static RedisServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = RedisServer.start(Version.V7_0);
    }

    @AfterAll
    static void endServer() {
        server.close();
    }

    @BeforeEach
    void empty() throws Exception {
        server.command("FLUSHALL");
    }

    @Override
    String url() {
        return server.url();
    }
}
