package io.belay.dashboard;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.dashboard.look.Watch;
import io.belay.dashboard.web.WebServer;
import io.belay.support.UrlPasswords;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * A live page of all locks of a store, served by HTTP: who holds what since when, who waits, what changed. However many look, one
 * thread reads the store, and while nobody looks nothing is read.
 *
 * <p>Thread-safe. {@link #awaitViewer} blocks; {@link #close} may for a moment.
 */
public final class Dashboard implements AutoCloseable {
    private final Belay belay;
    private final Watch watch;
    private final WebServer server;

    private Dashboard(Belay belay, Watch watch, WebServer server) {
        this.belay = belay;
        this.watch = watch;
        this.server = server;
    }

    /**
     * Connects to a store and serves its page. Blocks until the store answered.
     *
     * @param url the store, as for {@link Belay#connect(String)}; of a directory, with {@code readonly=true} unless holds may be
     *     ended
     * @throws IOException if the address cannot be listened on
     * @throws io.belay.StoreUnavailableException if the store cannot be reached
     * @throws io.belay.StoreMisconfiguredException if the URL is wrong, or the store refuses
     */
    public static Dashboard start(String url, DashboardOptions options) throws IOException {
        Belay belay = Belay.connect(url, BelayOptions.defaults().withClientName("dashboard"));
        Watch watch = new Watch(belay, url);
        try {
            WebServer server = new WebServer(
                    options.listen(),
                    options.hosts(),
                    options.token(),
                    UrlPasswords.mask(url),
                    watch,
                    options.allowBreak() ? Optional.of(belay) : Optional.empty(),
                    options.audit());
            return new Dashboard(belay, watch, server);
        } catch (IOException e) {
            watch.close();
            belay.close();
            throw e;
        }
    }

    /** Returns what it listens on. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Returns the address of the page. */
    public String url() {
        String host = address().getAddress().getHostAddress();
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

    /** Ends all streams, and the client. */
    @Override
    public void close() {
        watch.close();
        server.close();
        belay.close();
    }
}
