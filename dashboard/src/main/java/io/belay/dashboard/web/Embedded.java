package io.belay.dashboard.web;

import io.belay.Belay;
import io.belay.dashboard.client.ClientReport;
import io.belay.dashboard.look.PageFrame;
import io.belay.dashboard.look.View;
import io.belay.dashboard.look.Watch;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The page by somebody else's server, which says who may look: by answers alone, without streams. Thread-safe. */
public final class Embedded {
    /** The most different things that pages show at a time. */
    private static final int MOST_VIEWS = 100;

    private final Watch watch;
    private final ClientReport own;
    private final Page page;
    private final Optional<Ending> ending;
    private final Secrets pages = new Secrets();

    /**
     * An answer.
     *
     * @param status that of HTTP
     * @param type the type of the body
     * @param body the body; empty with the status 204
     */
    public record Answer(int status, String type, String body) {}

    /**
     * Makes it.
     *
     * @param root what stands before the addresses of all else, from the page's own
     * @param store what the page says of the store
     * @param ends the client that ends holds; empty if the page does not offer it
     * @param audit takes a line for each hold that was or was not to be ended
     */
    public Embedded(
            String root, String store, Watch watch, ClientReport own, Optional<Belay> ends, Consumer<String> audit) {
        this.watch = watch;
        this.own = own;
        page = new Page(store, ends.isPresent(), root);
        ending = ends.map(belay -> new Ending(belay, watch, audit));
    }

    /** Answers a request that changes nothing; blocks for the first frame. */
    public Answer get(String path, Map<String, String> query) throws InterruptedException {
        if (Page.hasFile("/" + path)) {
            return new Answer(200, Page.type("/" + path), Page.file("/" + path));
        }
        return switch (path) {
            case "" -> new Answer(200, "text/html", page.of(pages.make()));
            case "client" -> new Answer(200, "application/json", own.now().toString());
            case "frame" -> frame(query);
            default -> line(404, "There is nothing here.");
        };
    }

    private Answer frame(Map<String, String> query) throws InterruptedException {
        View view = new View(query.getOrDefault("search", ""), query.getOrDefault("open", ""));
        if (!view.isPossible()) {
            return line(400, "No lock has a name of more than 512 bytes, or with control characters.");
        }
        if (watch.polled() >= MOST_VIEWS && !watch.isPolled(view)) {
            return line(503, MOST_VIEWS + " pages look at different locks already; close one of them.");
        }
        Optional<PageFrame> frame = watch.poll(view, number(query.getOrDefault("after", "")));
        return frame.map(one -> new Answer(
                        200,
                        "application/json",
                        "{\"number\":\"" + own() + one.number() + "\",\"frame\":"
                                + new String(one.json(), StandardCharsets.UTF_8) + "}"))
                .orElse(new Answer(204, "application/json", ""));
    }

    /** Returns what stands before the numbers of frames that this has told: a page may have those of an earlier start, or another's. */
    private String own() {
        return watch.instance() + "-";
    }

    private long number(String told) {
        try {
            return told.startsWith(own()) ? Long.parseLong(told.substring(own().length())) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * Ends the holds of a lock, or does not.
     *
     * @param form what the page sends, with the secret that it was given, as {@code page}
     * @param from where the request comes from, for the holder and the audit
     */
    public Answer end(Map<String, String> form, String from) {
        if (ending.isEmpty()) {
            return line(403, "Holds are not ended from here.");
        }
        if (!pages.has(form.get("page"))) {
            return line(403, "This page is of an earlier start, or too old: load it again.");
        }
        Ending.Outcome outcome = ending.get().end(form, from);
        return line(outcome.status(), outcome.line());
    }

    private static Answer line(int status, String line) {
        return new Answer(status, "text/plain", line + "\n");
    }
}
