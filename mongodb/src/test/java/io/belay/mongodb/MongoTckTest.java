package io.belay.mongodb;

import io.belay.servers.MongoServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Without a change stream: the one of the server that runs here reads all that was ever written for each answer, and may skip
 * what is written at the same time.
 */
@Tag("drivers")
@Tag("client-elsewhere")
@Tag("costly-elsewhere")
class MongoTckTest extends StoreTck {
    private static MongoServer server;

    @BeforeAll
    static void start() throws Exception {
        server = MongoServer.start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Override
    protected StoreSpec open() throws Exception {
        return MongoSpec.of(server, "&belay-watch=false");
    }
}
