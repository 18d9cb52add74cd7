package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.dashboard.ClientEvents;
import io.belay.servers.Pace;
import io.belay.support.Log;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page under the actuator of a running application: who may look and end is what the endpoint's access says. */
class DashboardEndpointTest {
    private static final List<String> EXPOSED = List.of("--management.endpoints.web.exposure.include=belay");
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String store = "memory:" + UUID.randomUUID();

    private ConfigurableApplicationContext run(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--belay.url=" + store, "--belay.client-name=shop-1"));
        arguments.addAll(List.of(more));
        return WebApplication.run(arguments);
    }

    private HttpRequest.Builder to(ConfigurableApplicationContext application, String path) {
        int port = ((WebServerApplicationContext) application).getWebServer().getPort();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator" + path));
    }

    private HttpResponse<String> get(ConfigurableApplicationContext application, String path) throws Exception {
        return http.send(to(application, path).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(ConfigurableApplicationContext application, Map<String, String> form)
            throws Exception {
        return http.send(
                to(application, "/belay/end")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(MAPPER.writeValueAsString(form)))
                        .build(),
                BodyHandlers.ofString());
    }

    private JsonNode frame(ConfigurableApplicationContext application, String open) throws Exception {
        String path = "/belay/frame?search=&after=0&open=" + URLEncoder.encode(open, StandardCharsets.UTF_8);
        // On a busy machine there may be none yet when the first answer is due.
        HttpResponse<String> response =
                await().until(() -> get(application, path), answer -> answer.statusCode() != 204);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return MAPPER.readTree(response.body());
    }

    private static String secret(String page) {
        return page.split("belay-page\" content=\"", 2)[1].split("\"", 2)[0];
    }

    @Test
    void thePageIsThereWhereItIsExposedAndLooksOnly() throws Exception {
        try (ConfigurableApplicationContext application = run("--management.endpoints.web.exposure.include=*")) {
            Lease lease = application.getBean(Belay.class).lock("stock:<b>").acquire();
            HttpResponse<String> page = get(application, "/belay");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
            assertThat(page.body())
                    .contains("href=\"belay/dashboard.css\"", "src=\"belay/dashboard.js\"", store)
                    .contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'")
                    .contains("name=\"belay-may-end\" content=\"false\"")
                    .doesNotContain("@ROOT@", "@POLICY@", "@STORE@");
            assertThat(get(application, "/belay/dashboard.js").headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/javascript"));
            assertThat(get(application, "/belay/icon.svg").statusCode()).isEqualTo(200);
            assertThat(get(application, "/belay/nix").statusCode()).isEqualTo(404);

            JsonNode told = frame(application, "stock:<b>");
            JsonNode frame = told.get("frame");
            assertThat(frame.get("rows").get(0).get("name").asString()).isEqualTo("stock:<b>");
            assertThat(frame.get("open").get("claims")).hasSize(1);
            assertThat(frame.get("clients").get(0).get("client").asString()).isEqualTo("shop-1");
            assertThat(frame.get("doctor").asBoolean()).isTrue();
            String last = told.get("number").asString().replaceFirst("[0-9]+$", Long.toString(Long.MAX_VALUE));
            HttpResponse<String> same = get(application, "/belay/frame?open=stock:%3Cb%3E&search=&after=" + last);
            assertThat(same.statusCode()).isEqualTo(204);
            assertThat(get(application, "/belay/frame?after=4800").statusCode())
                    .as("to who has seen more of an earlier start")
                    .isEqualTo(200);

            JsonNode client = MAPPER.readTree(get(application, "/belay/client").body());
            assertThat(client.get("client").asString()).isEqualTo("shop-1");
            assertThat(client.get("holding").asInt()).isEqualTo(1);

            assertThat(post(application, Map.of("name", "stock:<b>")).statusCode())
                    .isEqualTo(405);
            assertThat(lease.isHeld()).isTrue();
            lease.release();
        }
    }

    /** The application connects its client by itself. */
    @Configuration(proxyBeanMethods = false)
    static class OwnClient {
        @Bean
        Belay own() {
            return Belay.connect("memory:" + UUID.randomUUID());
        }
    }

    /** Likewise, and has it tell the page. */
    @Configuration(proxyBeanMethods = false)
    static class OwnClientThatTells {
        @Bean
        Belay own(ClientEvents events) {
            return Belay.connect(
                    "memory:" + UUID.randomUUID(),
                    events.listenTo(BelayOptions.defaults().withClientName("shop-9")));
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aClientThatTellsThePageNothingIsToldOf(CapturedOutput lines) {
        try (ConfigurableApplicationContext application = WebApplication.run(EXPOSED, OwnClient.class)) {
            assertThat(application.getBean(DashboardEndpoint.class)).isNotNull();
            Log.flush(Pace.patience());
            assertThat(lines).containsOnlyOnce("connect the client with options of ClientEvents.listenTo");
        }
    }

    /** As the page on the dashboard says. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aClientOfTheApplicationsOwnTellsThePageOfALoss(CapturedOutput lines) throws Exception {
        try (ConfigurableApplicationContext application = WebApplication.run(EXPOSED, OwnClientThatTells.class)) {
            Belay belay = application.getBean(Belay.class);
            Lease lease = belay.lock("stock:7").acquire();
            belay.admin().forceRelease("stock:7");
            await().until(() -> !lease.isHeld());
            await().until(() -> MAPPER.readTree(
                            get(application, "/belay/client").body())
                    .get("recentLosses")
                    .toString()
                    .contains("stock:7"));
            assertThat(MAPPER.readTree(get(application, "/belay/client").body())
                            .get("client")
                            .asString())
                    .isEqualTo("shop-9");
            Log.flush(Pace.patience());
            assertThat(lines).doesNotContain("ClientEvents.listenTo");
        }
    }

    @Test
    void aHoldIsEndedWithUnrestrictedAccessByAPageOfThisStart() throws Exception {
        try (ConfigurableApplicationContext application = run(
                "--management.endpoints.web.exposure.include=belay",
                "--management.endpoint.belay.access=unrestricted")) {
            BlockingQueue<LeaseLostException> losses = new LinkedBlockingQueue<>();
            Lease lease = application.getBean(Belay.class).lock("stock:7").acquire();
            lease.onLost(losses::add);
            String page = get(application, "/belay").body();
            assertThat(page).contains("name=\"belay-may-end\" content=\"true\"");
            Map<String, String> form = Map.of(
                    "name", "stock:7",
                    "typed", "stock:7",
                    "who", "Ada",
                    "tokens", Long.toString(lease.token()),
                    "page", secret(page));
            Map<String, String> foreign = new HashMap<>(form);
            foreign.put("page", "x");
            assertThat(post(application, foreign).statusCode()).isEqualTo(403);
            Map<String, String> mistyped = new HashMap<>(form);
            mistyped.put("typed", "stock:8");
            assertThat(post(application, mistyped).statusCode()).isEqualTo(400);
            HttpResponse<String> asForm = http.send(
                    to(application, "/belay/end")
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString("name=stock:7"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(asForm.statusCode())
                    .as("what another site's page can send")
                    .isEqualTo(415);
            assertThat(lease.isHeld()).isTrue();

            assertThat(post(application, form).statusCode()).isEqualTo(200);
            assertThat(losses.poll(Pace.seconds(), TimeUnit.SECONDS).getMessage())
                    .contains("for Ada from the actuator");
            assertThat(post(application, form).statusCode()).isEqualTo(409);
            JsonNode lost = MAPPER.readTree(get(application, "/belay/client").body());
            assertThat(lost.get("lost").get("forced").asInt()).isEqualTo(1);
        }
    }

    @Test
    void aHoldInTheApplicationsNamespaceIsShownAndEndedByItsFullName() throws Exception {
        try (ConfigurableApplicationContext application = run(
                "--belay.namespace=north",
                "--management.endpoints.web.exposure.include=belay",
                "--management.endpoint.belay.access=unrestricted")) {
            Lease lease = application.getBean(Belay.class).lock("stock:7").acquire();
            JsonNode shown = frame(application, "north:stock:7").get("frame");
            assertThat(shown.get("rows").get(0).get("name").asString()).isEqualTo("north:stock:7");
            assertThat(shown.get("open").get("claims")).hasSize(1);
            Map<String, String> form = Map.of(
                    "name", "north:stock:7",
                    "typed", "north:stock:7",
                    "who", "Ada",
                    "tokens", Long.toString(lease.token()),
                    "page", secret(get(application, "/belay").body()));
            assertThat(post(application, form).statusCode()).isEqualTo(200);
            await().until(() -> !lease.isHeld());
        }
    }

    /** A store that the application has chosen by a bean. */
    @Configuration(proxyBeanMethods = false)
    static class Elsewhere {
        @Bean
        BelayConnectionDetails details() {
            return BelayConnectionDetails.of("memory:elsewhere");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory:unused", "redis://:${NOBODY_SETS_THIS}@unused"})
    void aUrlOfAnotherStoreThanTheClientsIsNotShownNorExamined(String url) throws Exception {
        try (ConfigurableApplicationContext application = WebApplication.run(
                List.of("--belay.url=" + url, "--management.endpoints.web.exposure.include=belay"), Elsewhere.class)) {
            assertThat(get(application, "/belay").body())
                    .contains("the store of this application")
                    .doesNotContain("unused");
            assertThat(frame(application, "").at("/frame/doctor").asBoolean()).isFalse();
        }
    }

    @Test
    void whereItIsNotExposedThereIsNothing() throws Exception {
        try (ConfigurableApplicationContext application = run()) {
            assertThat(get(application, "/belay").statusCode()).isEqualTo(404);
            assertThat(application.getBeansOfType(DashboardEndpoint.class)).isEmpty();
        }
        try (ConfigurableApplicationContext application =
                run("--management.endpoints.web.exposure.include=*", "--management.endpoint.belay.access=none")) {
            assertThat(get(application, "/belay").statusCode()).isEqualTo(404);
        }
    }
}
