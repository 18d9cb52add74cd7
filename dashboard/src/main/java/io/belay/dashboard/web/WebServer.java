package io.belay.dashboard.web;

import com.sun.net.httpserver.HttpServer;
import io.belay.Belay;
import io.belay.dashboard.client.ClientReport;
import io.belay.dashboard.look.Watch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The server of the page, by HTTP alone. Thread-safe. */
public final class WebServer implements AutoCloseable {
    /** Those of all streams, and some for what is asked besides. */
    private static final int MOST_THREADS = EventStreams.MOST + 30;

    private static final int BACKLOG = 300;

    private final HttpServer server;
    private final ExecutorService threads;
    private final EventStreams events;

    /**
     * How it is reached.
     *
     * @param address what to listen on; port 0 for one that is free
     * @param names further names by which it is reached
     * @param token what has to be shown; empty if anybody may look
     */
    public record Reach(InetSocketAddress address, Set<String> names, Optional<String> token) {}

    /**
     * Starts it.
     *
     * @param store the store's URL, with nothing secret in it
     * @param watch what there is to show
     * @param own what the application's own client tells; empty if there is none
     * @param ends the client that ends holds; empty if nobody may
     * @param audit takes a line for each hold that was or was not to be ended
     * @throws IOException if the address cannot be listened on
     */
    public WebServer(
            Reach reach,
            String store,
            Watch watch,
            Optional<ClientReport> own,
            Optional<Belay> ends,
            Consumer<String> audit)
            throws IOException {
        server = HttpServer.create(reach.address(), BACKLOG);
        threads = new ThreadPoolExecutor(0, MOST_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "dashboard-page");
            thread.setDaemon(true);
            return thread;
        });
        events = new EventStreams(watch);
        Gatekeeper access = new Gatekeeper(server.getAddress(), reach.names(), reach.token());
        Ending ending = ends.map(belay -> new Ending(belay, watch, audit)).orElse(null);
        server.createContext("/", new Door(access, new Page(store, ending != null, "/"), events, ending, own));
        server.setExecutor(threads);
        server.start();
    }

    /** Returns what it listens on. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Returns how many pages look. */
    public int viewers() {
        return events.size();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
