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
    private final RedisServer server;
    private Monitor monitor;

    Greetings(RedisServer server) throws IOException {
        this.server = server;
        monitor = server.monitor();
    }

    /** Returns those since the last call of {@link #clear}, or since the server ended its connections. */
    List<String> heard() throws IOException, InterruptedException {
        List<String> lines;
        try {
            lines = monitor.lines();
        } catch (IOException e) {
            monitor.close();
            monitor = server.monitor();
            lines = monitor.lines();
        }
        return lines.stream().filter(line -> line.contains("] \"HELLO\" ")).toList();
    }

    void clear() throws IOException, InterruptedException {
        monitor.clear();
    }

    @Override
    public void close() throws IOException {
        monitor.close();
    }
}
