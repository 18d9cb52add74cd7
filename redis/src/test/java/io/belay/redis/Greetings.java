package io.belay.redis;

import io.belay.servers.Monitor;
import io.belay.servers.RedisServer;
import java.io.IOException;
import java.util.List;

/**
 * The first words of Belay's connections to a server, which neither sentinels nor other servers say. A server that is made a
 * replica ends its connections, this one among them: then it begins anew. Look often, as what came since the last look is lost.
 */
final class Greetings implements AutoCloseable {
    /** Each of three sentinels may end the connections. */
    private static final int ENDS = 3;

    private final RedisServer server;
    private Monitor monitor;

    Greetings(RedisServer server) throws IOException {
        this.server = server;
        monitor = server.monitor();
    }

    /** Returns those since the last call of {@link #clear}, or since the server ended its connections. */
    List<String> heard() throws IOException, InterruptedException {
        return lines(ENDS).stream()
                .filter(line -> line.contains("] \"HELLO\" "))
                .toList();
    }

    private List<String> lines(int again) throws IOException, InterruptedException {
        try {
            return monitor.lines();
        } catch (IOException e) {
            if (again == 0) {
                throw e;
            }
            monitor.close();
            monitor = server.monitor();
            return lines(again - 1);
        }
    }

    void clear() throws IOException, InterruptedException {
        monitor.clear();
    }

    @Override
    public void close() throws IOException {
        monitor.close();
    }
}
