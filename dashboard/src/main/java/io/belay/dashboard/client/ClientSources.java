package io.belay.dashboard.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All clients whose own counts the page shows: that of this application, and those at addresses. For one thread. */
public final class ClientSources {
    private final Optional<ClientReport> own;
    private final ClientSource ownSource = new ClientSource("");
    private final Map<ClientSource, ClientPoller> others = new LinkedHashMap<>();

    /**
     * Makes them; nobody is asked yet.
     *
     * @param own the client of this application; empty if the page is no application's
     * @param addresses where others are asked
     */
    public ClientSources(Optional<ClientReport> own, List<URI> addresses) {
        this.own = own;
        if (!addresses.isEmpty()) {
            HttpClient http = HttpClient.newBuilder()
                    .followRedirects(Redirect.NEVER)
                    .connectTimeout(Duration.ofSeconds(2))
                    .build();
            addresses.forEach(address ->
                    others.put(new ClientSource(ClientAddress.shown(address)), new ClientPoller(http, address)));
        }
    }

    /** Says that nobody has asked for a while: what has come since the last tick is of then, and an outage is not older than now. */
    public void resume() {
        long millis = System.currentTimeMillis();
        others.forEach((source, asking) -> source.resume(asking.last().nanos(), millis));
    }

    /** Takes what has come, and asks again; does not block. */
    public void tick() {
        long millis = System.currentTimeMillis();
        own.ifPresent(telling -> ownSource.told(telling.now(), millis));
        others.forEach((source, asking) -> {
            take(source, asking.last(), millis);
            asking.ask();
        });
    }

    /** Takes an answer once. */
    private static void take(ClientSource source, ClientPoller.Answer answer, long millis) {
        if (answer.nanos() == 0 || !source.isNew(answer.nanos())) {
            return;
        }
        if (answer.told() == null) {
            source.away(answer.failure(), millis);
            return;
        }
        try {
            source.told(answer.told(), millis);
        } catch (IllegalArgumentException e) {
            source.away(String.valueOf(e.getMessage()), millis);
        }
    }

    /** Returns what a page shows of each. */
    public List<Map<String, Object>> shown() {
        List<Map<String, Object>> shown = new ArrayList<>();
        if (own.isPresent()) {
            shown.add(ownSource.shown());
        }
        others.keySet().forEach(source -> shown.add(source.shown()));
        return shown;
    }

    /** Ends the asking. */
    public void close() {
        others.values().forEach(ClientPoller::close);
    }
}
