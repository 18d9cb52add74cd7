package io.belay.servers;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A server that replies as a Redis would that is not at hand, such as an old one. */
public final class FakeRedis implements Closeable {
    private final ServerSocket listener = Ports.listen();
    private final AtomicInteger connections = new AtomicInteger();
    private final UnaryOperator<String> replies;

    private FakeRedis(UnaryOperator<String> replies) throws IOException {
        this.replies = replies;
    }

    /**
     * Starts a server.
     *
     * @param replies what it replies to a command of that name (in capitals; with SENTINEL goes what it is asked), as it
     *     goes over the wire but for the last end of a line
     */
    public static FakeRedis start(UnaryOperator<String> replies) throws IOException {
        FakeRedis fake = new FakeRedis(replies);
        Sockets.daemon("fake-redis", fake::accept).start();
        return fake;
    }

    /** Starts a server of that version that knows AUTH, PING and INFO only. */
    public static FakeRedis old(String version) throws IOException {
        return start(name -> switch (name) {
            case "AUTH" -> "+OK";
            case "PING" -> "+PONG";
            case "INFO" -> info(version);
            default -> "-ERR unknown command '" + name + "'";
        });
    }

    /** The reply to INFO, by which a server proves to be Redis: it tells of its build, as no other does. */
    public static String info(String version) {
        String text = String.join(
                "\r\n",
                "redis_version:" + version,
                "redis_git_sha1:00000000",
                "redis_build_id:1a2b3c4d5e6f7a8b",
                "gcc_version:12.2.0",
                "monotonic_clock:POSIX clock_gettime",
                "lru_clock:1",
                "configured_hz:10",
                "mem_allocator:jemalloc-5.2.1",
                "config_file:",
                "role:master");
        return "$" + text.length() + "\r\n" + text;
    }

    /** {@code redis://127.0.0.1:port}. */
    public String url() {
        return "redis://" + Ports.HOST + ":" + port();
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the number of connections that are open. */
    public int connections() {
        return connections.get();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            connections.incrementAndGet();
            Sockets.daemon("fake-redis-client", () -> serve(client)).start();
        }
    }

    private void serve(Socket client) throws IOException {
        try (client) {
            // A character a byte, since lengths are in bytes.
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String head = in.readLine(); head != null; head = in.readLine()) {
                String name = "";
                for (int left = Integer.parseInt(head.substring(1)); left > 0; left--) {
                    String word = word(in);
                    if (name.isEmpty() || name.equals("SENTINEL")) {
                        name = (name + " " + word.toUpperCase(Locale.ROOT)).strip();
                    }
                }
                client.getOutputStream().write((replies.apply(name) + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
        } finally {
            connections.decrementAndGet();
        }
    }

    private static String word(BufferedReader in) throws IOException {
        StringBuilder word = new StringBuilder();
        int length = Integer.parseInt(in.readLine().substring(1));
        for (int i = 0; i < length; i++) {
            word.append((char) in.read());
        }
        in.readLine();
        return word.toString();
    }

    /** Accepts no more connections. */
    @Override
    public void close() throws IOException {
        listener.close();
    }
}
