package io.belay.servers;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;

/** The program of a {@link io.belay.servers.MongoServer}'s JVM. It ends with its input, and so with its starter. */
final class MongoProgram {
    private MongoProgram() {}

    public static void main(String[] arguments) throws IOException {
        MongoServer server = new MongoServer(new MemoryBackend());
        // Change streams read it.
        server.enableOplog();
        server.bind(Ports.HOST, Integer.parseInt(arguments[0]));
        while (System.in.read() >= 0) {
            // Nobody says anything.
        }
        System.exit(0);
    }
}
