package io.belay.dashboard;

import io.belay.Belay;
import io.belay.dashboard.client.ClientReport;
import io.belay.dashboard.client.ClientSources;
import io.belay.dashboard.look.Watch;
import io.belay.dashboard.web.Embedded;
import io.belay.support.UrlPasswords;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The page of an application's store for a server of the application's own, such as Spring Boot's actuator: that decides who may look,
 * and asks this for the answers. The page asks for what is new once or twice a second, as such a server need not know streams; one thread
 * reads the store for all, and while nobody asks nothing is read.
 *
 * <p>Thread-safe. {@link #get} blocks for the first frame of a page.
 */
public final class EmbeddedDashboard implements AutoCloseable {
    private final Watch watch;
    private final Embedded pages;

    private EmbeddedDashboard(Watch watch, Embedded pages) {
        this.watch = watch;
        this.pages = pages;
    }

    /**
     * Makes the page of a client; nothing is read until somebody looks.
     *
     * @param belay the client, which stays open
     * @param events what listens to it
     * @param url the store's URL, for the doctor; empty if it is not known
     * @param root the last part of the page's address, and a slash
     * @param audit takes lines as that of {@link DashboardOptions#withBreaking}; empty if holds are not ended from the page
     * @throws IllegalArgumentException if the client is a view of a namespace
     */
    public static EmbeddedDashboard of(
            Belay belay, ClientEvents events, Optional<String> url, String root, Optional<Consumer<String>> audit) {
        Dashboard.requireItself(belay);
        ClientReport report = new ClientReport(belay, events.diary());
        Watch watch = new Watch(belay, url, new ClientSources(Optional.of(report), List.of()));
        String store = url.map(UrlPasswords::maskUrl).orElse("the store of this application");
        return new EmbeddedDashboard(
                watch,
                new Embedded(
                        Objects.requireNonNull(root, "root"),
                        store,
                        watch,
                        report,
                        audit.map(any -> belay),
                        audit.orElse(line -> {})));
    }

    /**
     * An answer to a browser.
     *
     * <p>Only Belay implements this; methods may be added.
     */
    public interface Answer {
        /** Returns the status of HTTP. */
        int status();

        /** Returns the type of the body, without a charset: it is UTF-8. */
        String type();

        /** Returns the body; empty with the status 204. */
        String body();
    }

    private record Given(int status, String type, String body) implements Answer {
        static Given of(Embedded.Answer answer) {
            return new Given(answer.status(), answer.type(), answer.body());
        }
    }

    /**
     * Answers what changes nothing.
     *
     * @param path what is asked for: the page, if empty; its files; {@code frame}, with what the page shows as parameters; or {@code
     *     client}, what the client tells other dashboards
     * @throws InterruptedException if the thread was interrupted
     */
    public Answer get(String path, Map<String, String> parameters) throws InterruptedException {
        return Given.of(
                pages.get(Objects.requireNonNull(path, "path"), Objects.requireNonNull(parameters, "parameters")));
    }

    /**
     * Ends the holds of a lock, as the page asks for it. Blocks for round trips to the store.
     *
     * @param parameters what the page sends
     * @param from where the request comes from, which the holder and the audit are told
     */
    public Answer end(Map<String, String> parameters, String from) {
        return Given.of(
                pages.end(Objects.requireNonNull(parameters, "parameters"), Objects.requireNonNull(from, "from")));
    }

    /** Ends the reading; the client stays open. */
    @Override
    public void close() {
        watch.close();
    }
}
