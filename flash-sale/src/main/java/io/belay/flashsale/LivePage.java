package io.belay.flashsale;

import io.belay.cli.process.Cleanup;
import io.belay.cli.text.CliException;
import io.belay.cli.text.UrlOptions;
import io.belay.dashboard.Dashboard;
import io.belay.dashboard.DashboardOptions;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;

/** The live page of the sale's locks, for this machine alone. */
final class LivePage {
    private static final int PORT = 7420;
    private static final int ANY_PORT = 0;

    /** For how long the sale waits for somebody who looks. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Dashboard dashboard;

    private LivePage(Dashboard dashboard) {
        this.dashboard = dashboard;
    }

    /** Serves the page until the command ends. */
    static LivePage start(String store, Cleanup cleanup) {
        String url = UrlOptions.forLooking(store);
        try {
            Dashboard dashboard = start(url);
            cleanup.add(dashboard::close);
            return new LivePage(dashboard);
        } catch (IOException e) {
            throw CliException.usage("--page: no port can be listened on: " + e.getMessage());
        }
    }

    private static Dashboard start(String url) throws IOException {
        try {
            return Dashboard.start(url, DashboardOptions.local(PORT));
        } catch (BindException e) { // another dashboard has it
            return Dashboard.start(url, DashboardOptions.local(ANY_PORT));
        }
    }

    /** Says where the page is. */
    void announce() {
        System.err.println("watch the locks at " + dashboard.url());
    }

    /** Waits until somebody looks, but not for ever. */
    void awaitViewer() throws InterruptedException {
        System.err.println("the sale begins when somebody does, or in a minute");
        boolean ignored = dashboard.awaitViewer(PATIENCE);
    }
}
