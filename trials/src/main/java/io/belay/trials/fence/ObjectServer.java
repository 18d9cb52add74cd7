package io.belay.trials.fence;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stand-in for a store of objects, with one object: GET answers its content, its {@code ETag} and its metadata, and PUT with
 * {@code If-Match} writes if that is still the object's, and answers 412 if not, in one step. Every write has another ETag, also
 * one of the same content with other metadata, as the ETags of no real store promise; see the page.
 */
final class ObjectServer implements AutoCloseable {
    static final String TOKEN = "x-amz-meta-fencing-token";

    private final HttpServer server;
    private final Object lock = new Object();
    // These under the lock.
    private byte[] content = {'0'};
    private @Nullable String token;
    private long version = 1;

    ObjectServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/counter", this::answer);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/counter");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] sent = exchange.getRequestBody().readAllBytes();
            synchronized (lock) {
                if (exchange.getRequestMethod().equals("PUT")) {
                    String wanted = exchange.getRequestHeaders().getFirst("If-Match");
                    if (wanted != null && !wanted.equals(tag())) {
                        exchange.sendResponseHeaders(412, -1);
                        return;
                    }
                    content = sent;
                    token = exchange.getRequestHeaders().getFirst(TOKEN);
                    version++;
                }
                exchange.getResponseHeaders().set("ETag", tag());
                exchange.getResponseHeaders().set(TOKEN, Objects.requireNonNullElse(token, "0"));
                exchange.sendResponseHeaders(200, content.length);
                exchange.getResponseBody().write(content);
            }
        }
    }

    private String tag() {
        return "\"" + version + "\"";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
