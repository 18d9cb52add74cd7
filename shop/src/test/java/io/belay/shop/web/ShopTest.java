package io.belay.shop.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import io.belay.shop.ShopApplication;
import io.belay.shop.ledger.Ledger;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node over HTTP. */
@Tag("long")
class ShopTest {
    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final String store = "memory:" + UUID.randomUUID();
    private ConfigurableApplicationContext node;

    private void start(String... settings) {
        List<String> properties = new ArrayList<>(List.of(
                "--server.port=0",
                "--belay.shop.ledger=" + ledgerUrl(),
                "--belay.shop.store=" + store,
                "--belay.shop.sku=item",
                "--belay.shop.stock=2",
                "--belay.shop.work=1ms"));
        for (String setting : settings) {
            properties.add("--belay.shop." + setting);
        }
        node = SpringApplication.run(ShopApplication.class, properties.toArray(String[]::new));
    }

    private String ledgerUrl() {
        return "jdbc:sqlite:" + directory.resolve("ledger.db");
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private HttpRequest.Builder request(String path) {
        String port = node.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    private JsonNode status() throws Exception {
        return json(get("/skus/item"));
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JsonMapper.shared().readTree(response.body());
    }

    @Test
    void sellsUntilNothingIsLeft() throws Exception {
        start("node=here");
        HttpResponse<String> first =
                send(request("/skus/item/orders?buyer=Ann%20%C3%89").POST(HttpRequest.BodyPublishers.noBody()));
        assertThat(first.statusCode()).isEqualTo(201);
        JsonNode order = json(first);
        assertThat(order.path("sku").asString()).isEqualTo("item");
        assertThat(order.path("buyer").asString()).isEqualTo("Ann \u00c9");
        assertThat(order.path("node").asString()).isEqualTo("here");
        assertThat(order.path("token").asLong()).isPositive();

        HttpResponse<String> second = get("/skus/item/orders");
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(json(second).path("id")).isNotEqualTo(order.path("id"));

        HttpResponse<String> third = get("/skus/item/orders?buyer=late");
        assertThat(third.statusCode()).isEqualTo(409);
        assertThat(json(third).path("error").asString()).isEqualTo("sold out");

        JsonNode status = status();
        assertThat(status.path("stock").asInt()).isEqualTo(2);
        assertThat(status.path("left").asInt()).isZero();
        assertThat(status.path("sold").asInt()).isEqualTo(2);
        assertThat(status.path("oversold").asInt()).isZero();
        assertThat(status.path("refused").asInt()).isEqualTo(1);
        assertThat(status.path("timedOut").asInt()).isZero();
        assertThat(status.path("nodes").path(0).path("sold").asInt()).isEqualTo(2);
    }

    @Test
    void waitersTakeNoThreadFromThePagesAndAreToldWhenTheirTimeIsOver() throws Exception {
        Premise.withLease(Duration.ofSeconds(3), wait -> {
            start("wait=" + wait.toMillis() + "ms", "strategy=LOCK");
            try {
                waitersTakeNoThread();
            } finally {
                node.close();
            }
        });
    }

    private void waitersTakeNoThread() throws Exception {
        int waiters = 100;
        int before = status().path("timedOut").asInt();
        try (Belay other = Belay.connect(store);
                Lease held = other.lock(Ledger.lockName("item")).acquire();
                Stalls stalls = Stalls.watch()) {
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                waiting.add(client.sendAsync(request("/skus/item/orders").build(), BodyHandlers.ofString()));
            }
            assertThat(status().path("sold").asInt()).isZero();
            stalls.inTime(waiting.stream().noneMatch(CompletableFuture::isDone), "the page comes while all wait");
            CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).join();
            stalls.inTime(held.isHeld(), "the lock is held until all were told");
            for (CompletableFuture<HttpResponse<String>> one : waiting) {
                HttpResponse<String> answer = one.join();
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).contains("1");
                assertThat(json(answer).path("reason").asString()).isEqualTo("lock-timeout");
            }
        }
        assertThat(status().path("timedOut").asInt()).isEqualTo(before + waiters);
        assertThat(get("/skus/item/orders").statusCode()).isEqualTo(201);
    }

    @Test
    void aStaleHolderIsRefusedByTheLedger() throws Exception {
        start();
        try (Ledger ledger = Ledger.open(ledgerUrl(), null, null, 1)) {
            ledger.write(transaction -> transaction.raiseFence(Ledger.lockName("item"), Long.MAX_VALUE));
        }
        HttpResponse<String> refused = get("/skus/item/orders");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(json(refused).path("error").asString()).contains("stale");
        assertThat(status().path("staleWritesRefused").asInt()).isEqualTo(1);
        assertThat(status().path("sold").asInt()).isZero();
    }

    @Test
    void withTheGuardOffTheLedgerRefusesNobody() throws Exception {
        start("guard=off");
        try (Ledger ledger = Ledger.open(ledgerUrl(), null, null, 1)) {
            ledger.write(transaction -> transaction.raiseFence(Ledger.lockName("item"), Long.MAX_VALUE));
        }
        assertThat(get("/skus/item/orders").statusCode()).isEqualTo(201);
    }

    @Test
    void aStockInSegmentsIsShownAsOne() throws Exception {
        start("strategy=striped", "segments=3");
        for (int i = 0; i < 2; i++) {
            assertThat(get("/skus/item/orders").statusCode()).isEqualTo(201);
        }
        assertThat(get("/skus/item/orders").statusCode()).isEqualTo(409);
        assertThat(get("/skus/item/orders").statusCode()).isEqualTo(409);
        JsonNode status = status();
        assertThat(status.path("stock").asInt()).isEqualTo(2);
        assertThat(status.path("left").asInt()).isZero();
        assertThat(status.path("sold").asInt()).isEqualTo(2);
        assertThat(status.path("oversold").asInt()).isZero();
        assertThat(status.path("refused").asInt()).isEqualTo(2);
        assertThat(status.path("addsUp").asBoolean()).isTrue();
    }

    @Test
    void aStockThatIsNotInSegmentsIsNotOnSaleForWhoSellsSegments() throws Exception {
        start("strategy=striped", "segments=3");
        try (Ledger ledger = Ledger.open(ledgerUrl(), null, null, 1)) {
            ledger.create("whole", 5);
        }
        assertThat(get("/skus/whole/orders").statusCode()).isEqualTo(404);
        node.close();
        assertThatThrownBy(() -> start("strategy=lock"))
                .hasRootCauseMessage(
                        "item is divided into 3 segments in this ledger: sell it with belay.shop.strategy=striped,"
                                + " or give another belay.shop.sku");
    }

    @Test
    void inBatchesEachIsToldItsOwn() throws Exception {
        start("strategy=batch");
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            answers.add(client.sendAsync(request("/skus/item/orders").build(), BodyHandlers.ofString()));
        }
        assertThat(answers.stream().map(answer -> answer.join().statusCode()))
                .containsOnly(201, 409)
                .filteredOn(status -> status == 201)
                .hasSize(2);
        assertThat(status().path("refused").asInt()).isEqualTo(8);
    }

    @Test
    void withoutALockNoStoreIsNeeded() throws Exception {
        start("strategy=none", "store=nowhere:");
        HttpResponse<String> sold = get("/skus/item/orders");
        assertThat(sold.statusCode()).isEqualTo(201);
        assertThat(json(sold).path("token").asLong()).isZero();
    }

    @Test
    void whatIsAskedWronglyIsToldInOneLine() throws Exception {
        start();
        assertRefused(400, "/skus/a%20b/orders");
        assertRefused(400, "/skus/" + "x".repeat(65));
        assertRefused(400, "/skus/item/orders?buyer=" + "x".repeat(65));
        assertRefused(400, "/skus/item/orders?buyer=a%0Ab");
        assertRefused(400, "/skus/item/orders?buyer=%20");
        assertRefused(400, "/skus/item/orders?buyer=%ff");
        assertRefused(404, "/skus/other/orders");
        assertRefused(404, "/skus/other");
        assertRefused(404, "/nowhere");
        HttpResponse<String> put = send(request("/skus/item/orders").PUT(HttpRequest.BodyPublishers.noBody()));
        assertThat(put.statusCode()).isEqualTo(405);
        assertThat(status().path("sold").asInt()).isZero();
    }

    private void assertRefused(int status, String path) throws Exception {
        HttpResponse<String> refused = get(path);
        assertThat(refused.statusCode()).as(path).isEqualTo(status);
        assertThat(json(refused).path("error").asString()).as(path).isNotEmpty();
        assertThat(refused.body()).doesNotContain("\n").doesNotContain("Exception");
    }

    @Test
    void browsersGetAPage() throws Exception {
        start("node=a<b");
        get("/skus/item/orders");
        HttpResponse<String> page = send(request("/skus/item").header("Accept", "text/html,*/*;q=0.8"));
        assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
        assertThat(page.body())
                .contains("Sold 1 of 2", "a&lt;b", "width: 100%")
                .doesNotContain("{{")
                .doesNotContain("null");
    }

    /** As all who wait, where whoever drives the load is ended. */
    @Test
    void whoHasGoneBeforeItsOrderIsSoldIsNoFailureOfTheNode() throws Exception {
        start();
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        ((Logger) LoggerFactory.getLogger(Errors.class)).addAppender(log);
        try (Belay other = Belay.connect(store);
                Socket buyer =
                        new Socket("127.0.0.1", request("/").build().uri().getPort())) {
            try (Lease held = other.lock(Ledger.lockName("item")).acquire()) {
                buyer.getOutputStream()
                        .write("GET /skus/item/orders HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                await().until(() -> other.admin().inspect(held.name()).claims().size() == 2);
                buyer.setSoLinger(true, 0); // its end is told to who writes to it
                buyer.close();
            }
        }
        await().until(() -> status().path("sold").asInt() == 1);
        node.close(); // after what is under way
        assertThat(log.list).isEmpty();
    }

    @Test
    void whoWaitsWhileTheNodeStopsIsSentElsewhere() throws Exception {
        start();
        try (Belay other = Belay.connect(store);
                Lease held = other.lock(Ledger.lockName("item")).acquire()) {
            CompletableFuture<HttpResponse<String>> waiting =
                    client.sendAsync(request("/skus/item/orders").build(), BodyHandlers.ofString());
            await().until(() -> other.admin().inspect(held.name()).claims().size() == 2);
            node.close();
            assertThat(waiting.join().statusCode()).isEqualTo(503);
            assertThat(json(waiting.join()).path("reason").asString()).isEqualTo("stopping");
        }
    }
}
