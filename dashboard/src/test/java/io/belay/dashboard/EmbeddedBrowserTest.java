package io.belay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.servers.Pace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of an application's own server, in Debian's Chromium. */
@Tag("browser")
@Tag("long")
class EmbeddedBrowserTest extends InBrowser {
    private final String store = "memory:" + UUID.randomUUID();
    private final ClientEvents events = ClientEvents.create();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Belay belay;
    private HttpServer server;

    /** The application that answers now. */
    private volatile EmbeddedDashboard pages;

    /** What is answered in place of frames; empty if these are. */
    private volatile String refusal = "";

    /** What of the page a login that stands before it leads away from. */
    private volatile Set<String> guarded = Set.of();

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();

    @BeforeEach
    void serve() throws IOException {
        belay = Belay.connect(store, events.listenTo(BelayOptions.defaults()));
        pages = newStart();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/actuator/belay", this::answer);
        server.createContext("/login", EmbeddedBrowserTest::login);
        server.start();
    }

    @AfterEach
    void stopServing() {
        server.stop(0);
        threads.shutdownNow();
        pages.close();
        belay.close();
    }

    private EmbeddedDashboard newStart() {
        return EmbeddedDashboard.of(belay, events, Optional.empty(), "belay/", Optional.of(line -> {}));
    }

    private static void login(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = "<!doctype html><title>Login</title>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        Map<String, String> query = new HashMap<>();
        String text = exchange.getRequestURI().getRawQuery();
        for (String part : (text == null ? "" : text).split("&", -1)) {
            String[] pair = part.split("=", 2);
            query.put(pair[0], pair.length < 2 ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        }
        String path = exchange.getRequestURI().getPath().replaceFirst("/actuator/belay/?", "");
        try (exchange) {
            if (guarded.contains(path)) {
                exchange.getResponseHeaders().set("Location", "/login");
                exchange.sendResponseHeaders(302, -1);
                return;
            }
            EmbeddedDashboard.Answer answer = pages.get(path, query);
            boolean refused = path.equals("frame") && !refusal.isEmpty();
            if (path.equals("frame")) {
                asked.incrementAndGet();
                told.addAndGet(answer.status() == 200 ? 1 : 0);
            }
            byte[] body = (refused ? refusal : answer.body()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set("Content-Type", refused ? "text/plain" : answer.type() + ";charset=utf-8");
            exchange.sendResponseHeaders(refused ? 503 : answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void open() {
        browser.show(1280, 900, false);
        browser.driver.get("http://127.0.0.1:" + server.getAddress().getPort() + "/actuator/belay");
        browser.until("document.getElementById('state').dataset.state === 'live'");
    }

    private static String listed(String name) {
        return "[...document.querySelectorAll('#changes li b')].filter(one => one.textContent === '" + name
                + "').length";
    }

    @Test
    void whatAnotherApplicationHasSeenBeforeIsNotListedAsNew() throws Exception {
        EmbeddedDashboard other = newStart();
        Awaitility.await().until(() -> other.get("frame", Map.of()).status() == 200);
        for (int i = 0; i < 3; i++) {
            String name = "early:" + i;
            assertThat(belay.lock(name).acquire().isHeld()).isTrue();
            Awaitility.await().until(() -> other.get("frame", Map.of()).body().contains("\"lock\":\"" + name + "\""));
        }
        open();
        Object former = browser.value("instance");
        EmbeddedDashboard ended = pages;
        pages = other;
        ended.close();
        browser.until("instance !== '" + former + "'");
        assertThat(belay.lock("late").acquire().isHeld()).isTrue();
        browser.until(listed("late") + " === 1");
        assertThat(browser.value(listed("early:2"))).isEqualTo(0L);
    }

    /** Each may be another check of a password. */
    @Test
    void aPageAsksLittleMoreOftenThanTheStoreIsRead() {
        open();
        int askedBefore = asked.get();
        int toldBefore = told.get();
        Awaitility.await().atMost(Pace.patience()).until(() -> told.get() >= toldBefore + 10);
        assertThat(asked.get() - askedBefore).isLessThan(23);
    }

    @Test
    void whyFramesAreRefusedIsSaid() {
        open();
        refusal = "100 pages look at different locks already; close one of them.\n";
        browser.until("document.getElementById('state-text').textContent === '" + refusal.strip() + "'");
        refusal = "";
        browser.until("document.getElementById('state').dataset.state === 'live'");
    }

    @Test
    void aLoginThatStandsBeforeThePageIsShown() {
        open();
        guarded = Set.of("", "frame");
        Awaitility.await()
                .atMost(Pace.patience())
                .until(() -> browser.driver.getCurrentUrl().endsWith("/login"));
        guarded = Set.of();
        open();
    }

    @Test
    void aLoginIsNotTakenForTheEndOfAHold() throws Exception {
        Lease lease = belay.lock("stock:7").acquire();
        open();
        browser.until("document.querySelectorAll('.lock').length === 1");
        browser.find(".lock button").click();
        browser.until("document.querySelectorAll('.claim').length === 1");
        browser.find(".actions button").click();
        browser.find("#end-typed").sendKeys("stock:7");
        browser.find("#end-who").sendKeys("Ada");
        guarded = Set.of("end");
        browser.find("#end-go").click();
        browser.until("document.getElementById('end-problem').textContent.startsWith('Nothing was ended')");
        assertThat(browser.value("document.getElementById('end').open")).isEqualTo(true);
        assertThat(lease.isHeld()).isTrue();
    }
}
