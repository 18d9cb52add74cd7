package io.belay.dashboard.web;

import com.sun.net.httpserver.HttpServer;
import io.belay.Belay;
import io.belay.dashboard.client.ClientReport;
import io.belay.dashboard.look.Watch;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The server of the page, by HTTP alone. Thread-safe. */
public final class WebServer implements AutoCloseable {
    private static final int MOST_THREADS = 8;
    private static final int BACKLOG = 300;

    /** After how many seconds a request that is not there as a whole is given up; read when a process makes its first server. */
    private static final String LONGEST_REQUEST = "sun.net.httpserver.maxReqTime";

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
        // Or as many as there are threads, who send half of one, would have all of them for good.
        if (System.getProperty(LONGEST_REQUEST) == null) {
            System.setProperty(LONGEST_REQUEST, "20");
        }
        server = listening(reach.address());
        threads = threads(MOST_THREADS, "dashboard-page");
        Gatekeeper access = new Gatekeeper(server.getAddress(), reach.names(), reach.token());
        events = new EventStreams(watch, access::mayStillSee);
        Ending ending = ends.map(belay -> new Ending(belay, watch, audit)).orElse(null);
        server.createContext("/", new Door(access, new Page(store, ending != null, "/"), events, ending, own));
        server.setExecutor(threads);
        server.start();
    }

    private static HttpServer listening(InetSocketAddress address) throws IOException {
        try {
            return HttpServer.create(address, BACKLOG);
        } catch (BindException e) {
            BindException named = new BindException("port " + address.getPort() + " of "
                    + address.getAddress().getHostAddress() + " cannot be listened on (" + e.getMessage()
                    + "): give another port, or 0 for one that is free");
            named.initCause(e);
            throw named;
        }
    }

    /** Makes a pool of so many threads, which are there while they are needed. */
    static ThreadPoolExecutor threads(int most, String name) {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(most, most, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
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
        events.close();
    }
}
