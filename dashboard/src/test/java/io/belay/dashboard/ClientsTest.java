package io.belay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.belay.Belay;
import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.servers.Pace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What clients alone know: told by those that are asked, with where it is from, and by nobody else. */
class ClientsTest {
    private static final String TOKEN = "a token that nobody guesses";

    private final String store = "memory:" + UUID.randomUUID();
    private final BlockingQueue<LeaseLostException> heard = new LinkedBlockingQueue<>();
    private final ClientEvents events = ClientEvents.create();
    private final BelayOptions options =
            events.listenTo(BelayOptions.defaults().withClientName("shop-1").withListener(new BelayListener() {
                @Override
                public void lost(LeaseLostException loss) {
                    heard.add(loss);
                }
            }));

    private static Predicate<JsonNode> client(int place, Predicate<JsonNode> right) {
        return frame -> right.test(frame.get("clients").path(place));
    }

    private void loseOne(Belay belay) throws InterruptedException {
        Lease lease = belay.lock("stock:7").acquire();
        assertThat(belay.onBehalfOf("Ada").admin().forceRelease("stock:7")).isTrue();
        assertThat(heard.poll(Pace.seconds(), TimeUnit.SECONDS))
                .as("the listener that was there")
                .isNotNull();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void thePageInAnApplicationShowsWhatItsClientKnows() throws Exception {
        try (Belay belay = Belay.connect(store, options);
                Dashboard dashboard = Dashboard.start(belay, events, DashboardOptions.local(0));
                Visitor.Look look = new Visitor(dashboard).look("", "")) {
            JsonNode idle = look.until(client(0, one -> one.has("acquiredPerSecond")));
            assertThat(idle.get("clients")).hasSize(1);
            assertThat(idle.get("clients").get(0).has("p99Millis"))
                    .as("a percentile of no waits")
                    .isFalse();
            loseOne(belay);
            look.until(client(0, one -> one.get("recentLosses").size() == 1));
            JsonNode seen;
            do { // what is older than ten seconds by the time of a reading is in no percentile
                belay.lock("stock:8").acquire().close();
                seen = look.next().get("clients").get(0);
            } while (!seen.has("p99Millis"));
            assertThat(seen.get("client").asString()).isEqualTo("shop-1");
            assertThat(seen.get("address").asString()).isEmpty();
            assertThat(seen.get("lost").get("forced").asInt()).isEqualTo(1);
            assertThat(seen.get("recentLosses").get(0).get("lock").asString()).isEqualTo("stock:7");
            assertThat(seen.get("recentLosses").get(0).get("why").asString()).contains("Ada");
            assertThat(seen.get("acquiredPerSecond").asDouble()).isPositive();
            assertThat(look.next().get("doctor").asBoolean()).isFalse();
            dashboard.close();
            assertThat(belay.lock("x").isLocked()).as("the client stays open").isFalse();
        }
    }

    @Test
    @Tag("long")
    void clientsElsewhereAreAskedAndSayWhoTheyAre() throws Exception {
        try (Belay belay = Belay.connect(store, options);
                Dashboard application =
                        Dashboard.start(belay, events, DashboardOptions.local(0).withToken(TOKEN))) {
            loseOne(belay);
            String address =
                    application.url().replace("http://", "http://any:" + TOKEN.replace(" ", "%20") + "@") + "client";
            try (Dashboard dashboard =
                            Dashboard.start(store, DashboardOptions.local(0).withClient(address));
                    Visitor.Look look = new Visitor(dashboard).look("", "")) {
                JsonNode frame = look.until(client(0, one -> one.has("acquiredPerSecond")));
                JsonNode seen = frame.get("clients").get(0);
                assertThat(seen.get("client").asString()).isEqualTo("shop-1");
                assertThat(seen.get("address").asString()).isEqualTo(application.url() + "client");
                assertThat(seen.get("recentLosses")).hasSize(1);
                assertThat(frame.toString()).doesNotContain("nobody", "any:");

                long closing = System.currentTimeMillis();
                application.close();
                long closed = System.currentTimeMillis();
                // The first that is told may be that the connection ended amid an answer.
                JsonNode away = look.until(client(
                                0,
                                one -> one.path("awayWhy")
                                        .asString("")
                                        .equals("nobody listens there, or the way is closed")))
                        .get("clients")
                        .get(0);
                assertThat(away.get("awaySinceMillis").asLong())
                        .isBetween(closing - Pace.patience().toMillis(), closed + 1_000);
                assertThat(away.has("acquiredPerSecond"))
                        .as("a rate of now of one that is away")
                        .isFalse();
                assertThat(away.get("recentLosses")).hasSize(1);
            }
        }
    }

    @Test
    @Tag("long")
    void whoeverMayNotAskIsToldNothing() throws Exception {
        try (Belay belay = Belay.connect(store, options);
                Dashboard application =
                        Dashboard.start(belay, events, DashboardOptions.local(0).withToken(TOKEN))) {
            Visitor stranger = new Visitor(application);
            assertThat(stranger.get("/client").status()).isEqualTo(401);
            for (String wrong : List.of("x:" + TOKEN + "x", TOKEN, "")) {
                String basic = Base64.getEncoder().encodeToString(wrong.getBytes(StandardCharsets.UTF_8));
                assertThat(stranger.with("Authorization", "Basic " + basic)
                                .get("/client")
                                .status())
                        .isEqualTo(wrong.equals(TOKEN) ? 200 : 401);
            }
            assertThat(stranger.with("Authorization", "Basic ?").get("/client").status())
                    .isEqualTo(401);
            try (Dashboard dashboard =
                            Dashboard.start(store, DashboardOptions.local(0).withClient(application.url() + "client"));
                    Visitor.Look look = new Visitor(dashboard).look("", "")) {
                JsonNode refused = look.until(client(0, one -> one.has("awayWhy")))
                        .get("clients")
                        .get(0);
                assertThat(refused.get("awayWhy").asString()).startsWith("refused (401)");
                assertThat(refused.get("known").asBoolean()).isFalse();
                assertThat(new Visitor(dashboard).get("/client").status())
                        .as("a dashboard without a client of its own")
                        .isEqualTo(404);
            }
        }
    }

    /** Answers with what a test says. */
    private static HttpServer answering(int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }

    private JsonNode whatIsShownOf(int status, String body) throws Exception {
        HttpServer server = answering(status, body);
        String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/client?key=geheim";
        try (Dashboard dashboard =
                        Dashboard.start(store, DashboardOptions.local(0).withClient(address));
                Visitor.Look look = new Visitor(dashboard).look("", "")) {
            // On a busy machine the first answer may come too late; it is asked again.
            JsonNode frame = look.until(client(
                    0,
                    one -> one.has("client")
                            || (one.has("awayWhy")
                                    && !one.get("awayWhy").asString().startsWith("no answer"))));
            assertThat(frame.toString()).doesNotContain("geheim");
            return frame.get("clients").get(0);
        } finally {
            server.stop(0);
        }
    }

    /** It may count who tries, and refuse others for it. */
    @Test
    void oneThatRefusesIsNotAskedAtEachReading() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            exchange.sendResponseHeaders(403, -1);
            exchange.close();
        });
        server.start();
        long begun = System.nanoTime();
        String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/client";
        try (Dashboard dashboard =
                        Dashboard.start(store, DashboardOptions.local(0).withClient(address));
                Visitor.Look look = new Visitor(dashboard).look("", "")) {
            // On a busy machine the first answer may come too late; it is asked again.
            look.until(client(0, one -> one.path("awayWhy").asString("").startsWith("refused (403)")));
            long before = asked.get();
            for (int reading = 0; reading < 4; reading++) {
                look.next();
            }
            assertThat(asked.get() - before)
                    .isBetween(0L, Duration.ofNanos(System.nanoTime() - begun).toMinutes());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void whatIsNoClientIsSaidToBeNone() throws Exception {
        assertThat(whatIsShownOf(200, "<html>").get("awayWhy").asString())
                .isEqualTo("what answers there is no client of Belay: its page's address ends in /client");
        assertThat(whatIsShownOf(404, "{}").get("awayWhy").asString()).startsWith("answered 404");
        assertThat(whatIsShownOf(200, " ".repeat(1_000_001)).get("awayWhy").asString())
                .startsWith("what answers there sends more");
    }

    @Test
    @Tag("long")
    void oneWhoseAnswerBreaksOffIsAskedAgain() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            byte[] bytes = "{\"belay\":1,\"client\":\"shop\",\"instance\":\"a\",\"withinMillis\":{}}"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes, 0, 1);
            exchange.getResponseBody().flush();
            if (asked.incrementAndGet() == 1) {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            exchange.getResponseBody().write(bytes, 1, bytes.length - 1);
            exchange.close();
        });
        server.start();
        String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/client";
        try (Dashboard dashboard =
                        Dashboard.start(store, DashboardOptions.local(0).withClient(address));
                Visitor.Look look = new Visitor(dashboard).look("", "")) {
            JsonNode away = look.until(client(0, one -> one.has("awayWhy")));
            assertThat(away.at("/clients/0/awayWhy").asString()).isEqualTo("no answer within 3 s");
            look.until(client(0, one -> one.path("client").asString("").equals("shop") && !one.has("awayWhy")));
        } finally {
            over.countDown();
            server.stop(0);
            threads.shutdownNow();
        }
    }

    @Test
    void anAddressWhereNobodyCanBeAskedIsRefused() {
        for (String wrong : List.of("shop:8080", "ftp://shop/client", "http:///client", "http://a b/", "")) {
            assertThatThrownBy(() -> DashboardOptions.local(0).withClient(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--client must be the address");
        }
    }
}
