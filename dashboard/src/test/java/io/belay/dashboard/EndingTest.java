package io.belay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.memory.MemoryStoreProvider;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Who may end holds from a page, and that none is ended that the page has not shown. */
class EndingTest {
    private static final String TOKEN = "a token that nobody guesses";
    private static final Duration PROMISED = Duration.ofSeconds(1);

    private final String store = "memory:" + UUID.randomUUID();
    private final BlockingQueue<String> audit = new LinkedBlockingQueue<>();
    private Belay first;
    private Belay second;

    @BeforeEach
    void connect() {
        first = client("shop-1");
        second = client("shop-2");
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private Belay client(String name) {
        return Belay.connect(store, BelayOptions.defaults().withClientName(name));
    }

    private Dashboard breaking() throws Exception {
        return Dashboard.start(store, DashboardOptions.local(0).withToken(TOKEN).withBreaking(audit::add));
    }

    @Test
    void aHoldIsEndedByWhoShowsTheTokenAndTypesTheName() throws Exception {
        Premise.withLease(PROMISED, anyLease -> aHoldIsEnded());
    }

    private void aHoldIsEnded() throws Exception {
        audit.clear();
        try (Dashboard dashboard = breaking()) {
            Visitor stranger = new Visitor(dashboard);
            Visitor operator = stranger.signedIn(TOKEN);
            Visitor page = operator.with("X-Belay-Page", operator.pageSecret());
            Lease lease = first.lock("stock:7").acquire();
            BlockingQueue<LeaseLostException> losses = new LinkedBlockingQueue<>();
            lease.onLost(losses::add);
            String token = Long.toString(lease.token());
            Map<String, String> right = Map.of("name", "stock:7", "typed", "stock:7", "who", "Ada", "tokens", token);

            assertThat(stranger.with("X-Belay-Page", operator.pageSecret())
                            .post("/end", right)
                            .status())
                    .isEqualTo(401);
            assertThat(operator.post("/end", right).status()).isEqualTo(403);
            assertThat(operator.with("X-Belay-Page", "guessed")
                            .post("/end", right)
                            .status())
                    .isEqualTo(403);
            assertThat(page.with("Origin", "http://evil.example")
                            .post("/end", right)
                            .status())
                    .isEqualTo(403);
            assertThat(page.ask("GET", "/end?" + Visitor.encoded(right), "").status())
                    .isEqualTo(405);
            assertThat(audit).isEmpty();
            assertThat(page.post("/end", with(right, "typed", "stock:8")).status())
                    .isEqualTo(400);
            assertThat(page.post("/end", with(right, "who", " ")).status()).isEqualTo(400);
            assertThat(page.post("/end", with(right, "who", "Ada\n2026-11-30 ERROR lost"))
                            .status())
                    .isEqualTo(400);
            assertThat(page.post("/end", with(right, "who", "Mallory\u202e")).status())
                    .isEqualTo(400);
            Visitor.Answer late = page.post("/end", with(right, "tokens", "1"));
            assertThat(late.status()).isEqualTo(409);
            assertThat(late.body()).contains("Others hold it by now");
            assertThat(lease.isHeld()).isTrue();
            assertThat(audit)
                    .hasSize(5)
                    .allMatch(line -> line.contains("did not end the hold of stock:7"))
                    .noneMatch(line -> line.contains("\u202e"));
            audit.clear();

            try (Visitor.Look look = operator.look("", "stock:7")) {
                look.until(frame -> frame.get("open").get("claims").size() == 1);
                try (Stalls stalls = Stalls.watch()) {
                    assertThat(page.post("/end", right).status()).isEqualTo(200);
                    look.until(frame -> frame.get("open").get("claims").isEmpty());
                    long taken = stalls.given(stalls.taken().toMillis());
                    stalls.inTime(taken < PROMISED.toMillis(), "a hold that is ended is shown as that");
                }
                // A reading of its own may have seen between the two that the lock is free.
                JsonNode told =
                        look.until(frame -> frame.get("changes").toString().contains("\"ended\""));
                assertThat(told.get("changes").toString()).contains("Ada");
            }
            LeaseLostException loss = losses.poll(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(loss).isNotNull();
            assertThat(loss.reason()).contains(LossReason.FORCED);
            assertThat(loss.getMessage()).contains("Ada from 127.0.0.1");
            theAuditSays(token, "is about to end", "ended");
            assertThat(page.post("/end", right).status()).isEqualTo(409);
        }
    }

    /** Checks that the lines say just that of the hold of the first client, in this order. */
    private void theAuditSays(String token, String... done) {
        assertThat(audit).hasSameSizeAs(done);
        for (String one : done) {
            assertThat(audit.remove())
                    .contains(
                            " " + one + " the hold of stock:7 by shop-1@",
                            "token " + token + ", for Ada from 127.0.0.1");
        }
    }

    @Test
    void noneOfSeveralHoldsIsEndedUnlessAllWereSeen() throws Exception {
        try (Dashboard dashboard = breaking()) {
            Visitor page = page(dashboard);
            Lease one = first.readWriteLock("stock:7").readLock().acquire();
            Lease other = second.readWriteLock("stock:7").readLock().acquire();
            Map<String, String> form = Map.of("name", "stock:7", "typed", "stock:7", "who", "Ada");
            for (String tokens : List.of(
                    Long.toString(one.token()),
                    Long.toString(other.token()),
                    one.token() + " " + other.token() + " 1",
                    "")) {
                assertThat(page.post("/end", with(form, "tokens", tokens)).status())
                        .as(tokens)
                        .isEqualTo(409);
            }
            assertThat(List.of(one, other)).allMatch(Lease::isHeld);
            assertThat(audit).hasSize(4).allMatch(line -> line.contains("did not end the hold of stock:7"));
            audit.clear();

            BlockingQueue<LeaseLostException> losses = new LinkedBlockingQueue<>();
            List.of(one, other).forEach(lease -> lease.onLost(losses::add));
            String both = other.token() + " " + one.token();
            assertThat(page.post("/end", with(form, "tokens", both)).status()).isEqualTo(200);
            for (int i = 0; i < 2; i++) {
                assertThat(losses.poll(Pace.seconds(), TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(audit).hasSize(4);
            for (String done : List.of("is about to end", "ended")) {
                assertThat(audit)
                        .anyMatch(line -> line.contains(" " + done + " the hold of stock:7 by shop-1@")
                                && line.contains("token " + one.token() + ", for Ada"))
                        .anyMatch(line -> line.contains(" " + done + " the hold of stock:7 by shop-2@")
                                && line.contains("token " + other.token() + ", for Ada"));
            }
        }
    }

    /** What ends holds leaves a trace, or does nothing. What fails behind the end of one hides neither that nor the other. */
    @Test
    void noneIsEndedUnlessTheAuditTakesALineOfIt() throws Exception {
        AtomicReference<String> refused = new AtomicReference<>(" is about to end ");
        DashboardOptions options = DashboardOptions.local(0).withToken(TOKEN).withBreaking(line -> {
            if (line.contains(refused.get())) {
                throw new IllegalStateException("the audit is full");
            }
            audit.add(line);
        });
        try (Dashboard dashboard = Dashboard.start(store, options)) {
            Visitor page = page(dashboard);
            Lease one = first.readWriteLock("stock:7").readLock().acquire();
            Lease other = second.readWriteLock("stock:7").readLock().acquire();
            Map<String, String> form = Map.of(
                    "name", "stock:7", "typed", "stock:7", "who", "Ada", "tokens", one.token() + " " + other.token());
            Visitor.Answer answer = page.post("/end", form);
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo("The line for the audit cannot be written, so nothing was ended.\n");
            assertThat(List.of(one, other)).allMatch(Lease::isHeld);
            assertThat(audit).singleElement().asString().contains("did not end the hold of stock:7 for Ada");
            audit.clear();

            refused.set(" ended the hold of stock:7 by shop-1@");
            assertThat(page.post("/end", form).status()).isEqualTo(200);
            assertThat(audit).hasSize(3).anyMatch(line -> line.contains(" ended the hold of stock:7 by shop-2@"));
            Awaitility.await().until(() -> !one.isHeld() && !other.isHeld());
        }
    }

    /** The store in memory, which ends what is to be ended and does not say so. */
    private Store silent(long client, Store.Listener listener) {
        Store real = new MemoryStoreProvider().open(store, client, listener);
        return (Store) Proxy.newProxyInstance(
                EndingTest.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(real, arguments);
                    boolean evicts = arguments != null && arguments[0] instanceof Request.Evict;
                    return evicts ? new CompletableFuture<Answer>() : answer;
                });
    }

    @Test
    void aHoldThatMayHaveEndedIsSaidToBeThat() throws Exception {
        ClientEvents events = ClientEvents.create();
        DashboardOptions options = DashboardOptions.local(0).withToken(TOKEN).withBreaking(audit::add);
        try (Belay belay = Belay.connect(this::silent, events.listenTo(BelayOptions.defaults()));
                Dashboard dashboard = Dashboard.start(belay, events, options)) {
            Visitor page = page(dashboard);
            Lease lease = first.lock("stock:7").acquire();
            String token = Long.toString(lease.token());
            Visitor.Answer answer =
                    page.post("/end", Map.of("name", "stock:7", "typed", "stock:7", "who", "Ada", "tokens", token));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("may have been ended");
            theAuditSays(token, "is about to end", "may have ended");
            Awaitility.await().until(() -> !lease.isHeld());
        }
    }

    /** What holders of a large semaphore have is sent as a whole. */
    @Test
    void theTokensOfThreeThousandHoldersAreTaken() throws Exception {
        try (Dashboard dashboard = breaking()) {
            Visitor page = page(dashboard);
            String tokens = LongStream.range(0, 3_000)
                    .mapToObj(i -> Long.toString(Long.MAX_VALUE - i))
                    .collect(Collectors.joining(" "));
            Map<String, String> form = Map.of("name", "x", "typed", "x", "who", "Ada", "tokens", tokens);
            assertThat(page.post("/end", form).body()).contains("Nobody holds it any more");
        }
    }

    private static Map<String, String> with(Map<String, String> form, String name, String value) {
        Map<String, String> other = new HashMap<>(form);
        other.put(name, value);
        return other;
    }

    private static Visitor page(Dashboard dashboard) throws Exception {
        Visitor operator = new Visitor(dashboard).signedIn(TOKEN);
        return operator.with("X-Belay-Page", operator.pageSecret());
    }

    @Test
    void nothingIsEndedUnlessThatWasAskedFor() throws Exception {
        try (Dashboard dashboard = Dashboard.start(store, DashboardOptions.local(0));
                Lease lease = first.lock("a").acquire()) {
            Visitor visitor = new Visitor(dashboard);
            Visitor page = visitor.with("X-Belay-Page", visitor.pageSecret());
            Map<String, String> form =
                    Map.of("name", "a", "typed", "a", "who", "Ada", "tokens", Long.toString(lease.token()));
            assertThat(page.post("/end", form).status()).isEqualTo(403);
            assertThat(lease.isHeld()).isTrue();
        }
    }
}
