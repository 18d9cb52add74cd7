package io.belay.dashboard.web;

import com.sun.net.httpserver.HttpExchange;
import io.belay.dashboard.look.PageFrame;
import io.belay.dashboard.look.View;
import io.belay.dashboard.look.Watch;
import io.belay.support.Mutex;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The streams of server-sent events, one for each page. Few threads write what is new to all of them, as a thread for each would take
 * more memory than all else. A page that reads slowly misses frames and gets the next; one that takes nothing for ten seconds, or for
 * one while others have to wait for it, is dropped. Thread-safe.
 */
final class EventStreams implements AutoCloseable {
    /** The most streams at a time. */
    static final int MOST = 250;

    private static final int WRITERS = 4;
    private static final long STALLED_NANOS = 10_000_000_000L;
    private static final long CROWDED_NANOS = 1_000_000_000;
    private static final byte[] BEGIN = "retry: 1000\n\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] DATA = "data: ".getBytes(StandardCharsets.UTF_8);
    private static final byte[] END = "\n\n".getBytes(StandardCharsets.UTF_8);

    private final Watch watch;
    private final Predicate<HttpExchange> mayStillSee;
    private final Semaphore places = new Semaphore(MOST);
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private final Mutex counting = new Mutex();
    private final ThreadPoolExecutor writers;

    /**
     * Makes them; there are none yet.
     *
     * @param mayStillSee says of one that has begun whether it may go on; does not block
     */
    EventStreams(Watch watch, Predicate<HttpExchange> mayStillSee) {
        this.watch = watch;
        this.mayStillSee = mayStillSee;
        writers = WebServer.threads(WRITERS, "dashboard-stream");
        writers.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // as all is over
        watch.onFrames(this::sendFrames);
    }

    /** Begins a stream, which goes on after this has returned, until the page goes, may not look any more, or the server is stopped. */
    void begin(HttpExchange exchange) throws IOException {
        Map<String, String> query = Bodies.query(exchange);
        View view = new View(query.getOrDefault("search", ""), query.getOrDefault("open", ""));
        if (!view.isPossible()) {
            Answers.line(exchange, 400, "No lock has a name of more than 512 bytes, or with control characters.");
            return;
        }
        if (!places.tryAcquire()) {
            // Of a status a browser would not let the page know.
            String words = MOST + " pages look already; close one of them.";
            Answers.send(exchange, 200, "text/event-stream", "retry: 5000\nevent: refused\ndata: " + words + "\n\n");
            return;
        }
        boolean begun = false;
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.getResponseHeaders().set("X-Accel-Buffering", "no"); // or nginx sends several frames at a time
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(BEGIN);
            exchange.getResponseBody().flush();
            begun = true;
        } finally {
            if (!begun) {
                places.release();
            }
        }
        Stream stream = new Stream(exchange, view);
        // or it could have left before it has entered
        try (var held = counting.hold()) {
            streams.add(stream);
            watch.enter(view); // by which its first frame is made
        }
    }

    /** The page has gone, or has to. */
    private void end(Stream stream) {
        try (var held = counting.hold()) {
            if (streams.remove(stream)) {
                watch.leave(stream.view);
                places.release();
            }
        }
        stream.exchange.close();
    }

    /** Has each stream sent what is new for it, unless it is still being sent something. Called by one thread; does not block. */
    private void sendFrames() {
        // What was to be sent of the last frames then still waits for others, and all writers for as many pages.
        long patience = writers.getQueue().isEmpty() ? STALLED_NANOS : CROWDED_NANOS;
        for (Stream stream : streams) {
            Future<?> sending = stream.sending;
            PageFrame frame = watch.frame(stream.view);
            if (sending != null && !sending.isDone()) {
                if (stream.isStalled(patience)) {
                    sending.cancel(true); // which closes its connection, as nothing else does that does not wait for it
                }
            } else if (!mayStillSee.test(stream.exchange)) {
                stream.sending = writers.submit(() -> end(stream)); // which may block
            } else if (frame != null && frame.number() > stream.last) {
                stream.last = frame.number();
                stream.sending = writers.submit(() -> send(stream, frame));
            }
        }
    }

    private void send(Stream stream, PageFrame frame) {
        stream.writingSince = System.nanoTime() | 1;
        try {
            OutputStream out = stream.exchange.getResponseBody();
            out.write(DATA);
            out.write(frame.json());
            out.write(END);
            out.flush();
        } catch (IOException e) {
            end(stream);
        } finally {
            stream.writingSince = 0;
        }
    }

    int size() {
        return streams.size();
    }

    @Override
    public void close() {
        writers.shutdownNow();
    }

    private static final class Stream {
        final HttpExchange exchange;
        final View view;
        volatile long writingSince;

        // These by the thread that calls sendFrames.
        @Nullable
        Future<?> sending;

        /** The number of the last frame that was to be sent. */
        long last;

        Stream(HttpExchange exchange, View view) {
            this.exchange = exchange;
            this.view = view;
        }

        boolean isStalled(long patience) {
            long since = writingSince;
            return since != 0 && System.nanoTime() - since > patience;
        }
    }
}
