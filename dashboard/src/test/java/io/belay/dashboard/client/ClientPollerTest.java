package io.belay.dashboard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

/** A client is asked for as long as the dashboard runs, whatever befalls one request. */
class ClientPollerTest {
    private final HttpClient real = HttpClient.newHttpClient();
    private volatile boolean isFull = true;

    @Test
    void aClientIsAskedAgainThoughThereWasNoThreadToBeHadOnce() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = "{\"belay\":1}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/client");
        ClientPoller poller = new ClientPoller(new WithoutThreads(), address);
        try {
            poller.ask();
            await().until(() -> poller.last().failure().contains("unable to create native thread"));
            isFull = false;
            // On a busy machine an answer may come too late; it is asked again, as the page does.
            await().until(() -> {
                poller.ask();
                return poller.last().told() != null;
            });
            assertThat(poller.last().failure()).isEmpty();
        } finally {
            poller.close();
            server.stop(0);
        }
    }

    /** Sends as the real one does, unless there is no thread to be had. */
    private final class WithoutThreads extends HttpClient {
        @Override
        public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
                throws IOException, InterruptedException {
            if (isFull) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return real.send(request, handler);
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
            return real.sendAsync(request, handler);
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushes) {
            return real.sendAsync(request, handler, pushes);
        }

        @Override
        public Optional<CookieHandler> cookieHandler() {
            return real.cookieHandler();
        }

        @Override
        public Optional<Duration> connectTimeout() {
            return real.connectTimeout();
        }

        @Override
        public Redirect followRedirects() {
            return real.followRedirects();
        }

        @Override
        public Optional<ProxySelector> proxy() {
            return real.proxy();
        }

        @Override
        public SSLContext sslContext() {
            return real.sslContext();
        }

        @Override
        public SSLParameters sslParameters() {
            return real.sslParameters();
        }

        @Override
        public Optional<Authenticator> authenticator() {
            return real.authenticator();
        }

        @Override
        public Version version() {
            return real.version();
        }

        @Override
        public Optional<Executor> executor() {
            return real.executor();
        }
    }
}
