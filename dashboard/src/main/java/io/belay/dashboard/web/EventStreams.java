package io.belay.dashboard.web;

import com.sun.net.httpserver.HttpExchange;
import io.belay.dashboard.look.PageFrame;
import io.belay.dashboard.look.View;
import io.belay.dashboard.look.Watch;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The streams of server-sent events, one for each page. A page that reads slowly misses frames and gets the next; one that reads
 * nothing for half a minute is dropped. Thread-safe; each stream takes a thread.
 */
final class EventStreams {
    /** The most streams at a time. */
    static final int MOST = 250;

    private static final int LONGEST_NAME = 512;
    private static final Duration BEAT = Duration.ofSeconds(15);
    private static final long STALLED_NANOS = 30_000_000_000L;

    private final Watch watch;
    private final Semaphore places = new Semaphore(MOST);
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();

    EventStreams(Watch watch) {
        this.watch = watch;
    }

    /** Serves a stream until the page goes, or all is over. */
    void serve(HttpExchange exchange) throws IOException {
        Map<String, String> query = Bodies.query(exchange);
        View view = new View(query.getOrDefault("search", ""), query.getOrDefault("open", ""));
        if (view.search().length() > LONGEST_NAME || view.open().length() > LONGEST_NAME) {
            Answers.line(exchange, 400, "No lock has a name of more than " + LONGEST_NAME + " characters.");
            return;
        }
        if (!places.tryAcquire()) {
            Answers.line(exchange, 503, MOST + " pages look already; close one of them.");
            return;
        }
        watch.enter(view);
        Stream stream = new Stream(exchange);
        streams.add(stream);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            send(stream, view);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            streams.remove(stream);
            watch.leave(view);
            places.release();
        }
    }

    private void send(Stream stream, View view) throws IOException, InterruptedException {
        long last = 0;
        stream.write("retry: 1000\n\n");
        while (!watch.isClosed()) {
            Optional<PageFrame> frame = watch.await(view, last, BEAT);
            if (frame.isPresent()) {
                last = frame.get().number();
                stream.write("data: " + frame.get().json() + "\n\n");
            } else {
                stream.write(": still here\n\n");
            }
            dropStalled();
        }
    }

    /** Whoever writes looks after the others, too: one that cannot write is not stuck alone. */
    private void dropStalled() {
        streams.stream().filter(Stream::isStalled).forEach(stream -> stream.exchange.close());
    }

    int size() {
        return streams.size();
    }

    private static final class Stream {
        private final HttpExchange exchange;
        private volatile long writingSince;

        Stream(HttpExchange exchange) {
            this.exchange = exchange;
        }

        void write(String text) throws IOException {
            OutputStream out = exchange.getResponseBody();
            writingSince = System.nanoTime() | 1;
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
            writingSince = 0;
        }

        boolean isStalled() {
            long since = writingSince;
            return since != 0 && System.nanoTime() - since > STALLED_NANOS;
        }
    }
}
