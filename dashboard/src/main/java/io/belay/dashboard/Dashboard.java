package io.belay.dashboard;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.dashboard.client.ClientReport;
import io.belay.dashboard.client.ClientSources;
import io.belay.dashboard.look.Watch;
import io.belay.dashboard.web.WebServer;
import io.belay.support.UrlPasswords;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A live page of all locks of a store, served by HTTP: who holds what since when, who waits, what changed. However many look, one
 * thread reads the store, and while nobody looks nothing is read.
 *
 * <p>Thread-safe. {@link #awaitViewer} blocks; {@link #close} may for a moment.
 */
public final class Dashboard implements AutoCloseable {
    /** The client that is closed with this; empty if it is the application's. */
    private final Optional<Belay> own;

    private final Watch watch;
    private final WebServer server;

    private Dashboard(Optional<Belay> own, Watch watch, WebServer server) {
        this.own = own;
        this.watch = watch;
        this.server = server;
    }

    /**
     * Connects to a store and serves its page. Blocks until the store answered.
     *
     * @param url the store, as for {@link Belay#connect(String)}; of a directory, with {@code readonly=true} unless holds may be
     *     ended
     * @throws IOException if the address cannot be listened on
     * @throws IllegalArgumentException if the options do not go together
     * @throws io.belay.StoreUnavailableException if the store cannot be reached
     * @throws io.belay.StoreMisconfiguredException if the URL is wrong, or the store refuses
     */
    public static Dashboard start(String url, DashboardOptions options) throws IOException {
        options.checked();
        Belay belay = Belay.connect(url, BelayOptions.defaults().withClientName("dashboard"));
        Watch watch = new Watch(belay, Optional.of(url), new ClientSources(Optional.empty(), options.clients()));
        try {
            WebServer server = serve(belay, watch, UrlPasswords.maskUrl(url), Optional.empty(), options);
            return new Dashboard(Optional.of(belay), watch, server);
        } catch (IOException e) {
            watch.close();
            belay.close();
            throw e;
        }
    }

    /**
     * Serves the page of an application's store inside the application, with what its own client knows. At {@code /client} the same
     * address tells that to other dashboards. The doctor is not asked, as that needs the store's URL.
     *
     * @param belay the application's client, which stays open
     * @param events what listens to it
     * @throws IOException if the address cannot be listened on
     * @throws IllegalArgumentException if the options do not go together, or the client is a view of a namespace
     */
    public static Dashboard start(Belay belay, ClientEvents events, DashboardOptions options) throws IOException {
        requireItself(belay);
        options.checked();
        ClientReport report = new ClientReport(belay, events.diary());
        Watch watch = new Watch(belay, Optional.empty(), new ClientSources(Optional.of(report), options.clients()));
        try {
            WebServer server = serve(belay, watch, "the store of this application", Optional.of(report), options);
            return new Dashboard(Optional.empty(), watch, server);
        } catch (IOException e) {
            watch.close();
            throw e;
        }
    }

    /** Throws if a client is a view of a namespace: names as the page shows them, in full, would mean other locks there. */
    static void requireItself(Belay belay) {
        Objects.requireNonNull(belay, "belay");
        if (!belay.lock("x").name().equals("x")) {
            throw new IllegalArgumentException(
                    "the page shows the locks of the whole store by their full names: give it the"
                            + " client itself, and not a view of a namespace");
        }
    }

    private static WebServer serve(
            Belay belay, Watch watch, String store, Optional<ClientReport> report, DashboardOptions options)
            throws IOException {
        return new WebServer(
                new WebServer.Reach(options.listen(), options.hosts(), options.token()),
                store,
                watch,
                report,
                options.allowBreak() ? Optional.of(belay) : Optional.empty(),
                options.audit());
    }

    /** Returns what it listens on. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Returns the address of the page. */
    public String url() {
        // Without the interface of an IPv6 address, which browsers do not know.
        String host = address().getAddress().getHostAddress().replaceFirst("%.*", "");
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + address().getPort() + "/";
    }

    /** Returns how many pages look at this moment. */
    public int viewers() {
        return server.viewers();
    }

    /**
     * Waits until somebody has opened the page.
     *
     * @param most the longest wait
     * @return whether somebody has
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean awaitViewer(Duration most) throws InterruptedException {
        return watch.awaitViewer(most);
    }

    /** Ends all streams, and the client unless it is the application's. */
    @Override
    public void close() {
        watch.close();
        server.close();
        own.ifPresent(Belay::close);
    }
}
