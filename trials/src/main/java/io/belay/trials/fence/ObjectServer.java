package io.belay.trials.fence;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A stand-in for a store of objects, with one object: GET answers its content and its {@code ETag}, and PUT with {@code If-Match}
 * writes if that is still the object's, and answers 412 if not, in one step. As with S3, what has the same content has the same
 * ETag.
 */
final class ObjectServer implements AutoCloseable {
    private final HttpServer server;
    private final ReentrantLock lock = new ReentrantLock();
    /** Under the lock. */
    private byte[] content;

    ObjectServer(String content) throws IOException {
        this.content = content.getBytes(StandardCharsets.UTF_8);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/counter", this::answer);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/counter");
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] sent = exchange.getRequestBody().readAllBytes();
        byte[] present;
        boolean refused = false;
        lock.lock();
        try {
            if (exchange.getRequestMethod().equals("PUT")) {
                String wanted = exchange.getRequestHeaders().getFirst("If-Match");
                refused = wanted != null && !wanted.equals(tag(content));
                content = refused ? content : sent;
            }
            present = content;
        } finally {
            lock.unlock();
        }
        try (exchange) {
            exchange.getResponseHeaders().set("ETag", tag(present));
            exchange.sendResponseHeaders(refused ? 412 : 200, present.length);
            exchange.getResponseBody().write(present);
        }
    }

    private static String tag(byte[] content) {
        try {
            return "\""
                    + HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(content)) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
