package io.belay.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.Pace;
import io.belay.servers.Premise;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;

/** Who gets to see anything, and what browsers are told of what they get. */
class AccessTest {
    private static final String TOKEN = "a token that nobody guesses";

    /** The time for which wrong tokens are counted. */
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final String store = "memory:" + UUID.randomUUID();

    private Dashboard start(Optional<String> token, String... hosts) throws Exception {
        DashboardOptions options = DashboardOptions.local(0);
        for (String host : hosts) {
            options = options.withHost(host);
        }
        return Dashboard.start(store, token.map(options::withToken).orElse(options));
    }

    @Test
    void onlyTheHostThatIsMeantIsAnswered() throws Exception {
        try (Dashboard dashboard = start(Optional.empty(), "locks.example")) {
            Visitor visitor = new Visitor(dashboard);
            int port = dashboard.address().getPort();
            for (String host : List.of(
                    "127.0.0.1:" + port,
                    "LOCALHOST:" + port,
                    "[::1]:" + port,
                    "[0:0:0:0:0:0:0:1]:" + port,
                    "locks.example",
                    "locks.example:80")) {
                assertThat(visitor.with("Host", host)
                                .with("Origin", "http://" + host)
                                .get("/")
                                .status())
                        .as(host)
                        .isEqualTo(200);
            }
            for (String host : List.of("evil.example", "evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "")) {
                for (String path : List.of("/", "/events", "/dashboard.js", "/end", "/nix")) {
                    assertThat(visitor.with("Host", host).get(path).status())
                            .as(host + path)
                            .isEqualTo(403);
                }
            }
        }
    }

    @Test
    void whatAnotherSitesPageSendsIsRefused() throws Exception {
        try (Dashboard dashboard = start(Optional.empty())) {
            Visitor visitor = new Visitor(dashboard);
            String own = "http://127.0.0.1:" + dashboard.address().getPort();
            assertThat(visitor.with("Origin", own).get("/").status()).isEqualTo(200);
            for (String origin : List.of("http://evil.example", "null", own + "0", "http://", ":")) {
                assertThat(visitor.with("Origin", origin).get("/events").status())
                        .as(origin)
                        .isEqualTo(403);
            }
        }
    }

    /** An image of another site's page has no origin, and would open a stream. */
    @Test
    void whatABrowserSaysComesFromElsewhereIsRefusedUnlessItLeadsToThePage() throws Exception {
        try (Dashboard dashboard = start(Optional.empty())) {
            Visitor visitor = new Visitor(dashboard);
            for (String site : List.of("same-origin", "none")) {
                assertThat(visitor.with("Sec-Fetch-Site", site)
                                .get("/dashboard.js")
                                .status())
                        .as(site)
                        .isEqualTo(200);
            }
            for (String site : List.of("cross-site", "same-site", "")) {
                Visitor foreign = visitor.with("Sec-Fetch-Site", site);
                assertThat(foreign.with("Sec-Fetch-Mode", "navigate").get("/").status())
                        .as(site)
                        .isEqualTo(200);
                assertThat(foreign.with("Sec-Fetch-Mode", "no-cors").get("/").status())
                        .as(site)
                        .isEqualTo(403);
                for (String path : List.of("/events", "/dashboard.js", "/sign-in")) {
                    assertThat(foreign.with("Sec-Fetch-Mode", "navigate")
                                    .get(path)
                                    .status())
                            .as(site + path)
                            .isEqualTo(403);
                }
            }
        }
    }

    @Test
    void withoutTheTokenThereIsNothingToSee() throws Exception {
        try (Dashboard dashboard = start(Optional.of(TOKEN))) {
            Visitor visitor = new Visitor(dashboard);
            Visitor.Answer asked = visitor.get("/");
            assertThat(asked.status()).isEqualTo(401);
            assertThat(asked.body()).contains("type=\"password\"").doesNotContain(store, "belay-page");
            assertThat(visitor.get("/events").status()).isEqualTo(401);
            assertThat(visitor.with("Authorization", "Bearer " + TOKEN).get("/").status())
                    .isEqualTo(200);
            assertThat(visitor.with("Authorization", "Bearer other").get("/").status())
                    .isEqualTo(401);
            assertThat(visitor.with("Cookie", cookie(dashboard).replaceFirst("=.*", "=guessed"))
                            .get("/events")
                            .status())
                    .isEqualTo(401);
        }
    }

    /** Signs in, and returns the cookie for that. */
    private static String cookie(Dashboard dashboard) throws Exception {
        String head =
                new Visitor(dashboard).post("/sign-in", Map.of("token", TOKEN)).head();
        return head.replaceFirst("(?is).*\nset-cookie: *([^;]*);.*", "$1");
    }

    /** Browsers show the cookies of a host at all its ports, and two dashboards behind one may listen on the same one. */
    @Test
    void whoeverHasSignedInAtTwoDashboardsOfAHostIsInAtBoth() throws Exception {
        String first;
        int port;
        try (Dashboard dashboard = start(Optional.of(TOKEN))) {
            first = cookie(dashboard);
            port = dashboard.address().getPort();
        }
        try (Dashboard dashboard =
                Dashboard.start(store, DashboardOptions.local(port).withToken(TOKEN))) {
            String second = cookie(dashboard);
            assertThat(second).contains("=").doesNotStartWith(first.replaceFirst("=.*", "="));
            assertThat(new Visitor(dashboard)
                            .with("Cookie", first + "; " + second)
                            .get("/")
                            .status())
                    .isEqualTo(200);
        }
    }

    /** A session ends with its time, or as a thousand others have begun. */
    @Test
    void aPageThatIsOpenSeesNothingMoreOnceItsSessionIsOver() throws Exception {
        try (Dashboard dashboard = start(Optional.of(TOKEN))) {
            Visitor visitor = new Visitor(dashboard);
            Visitor operator = visitor.signedIn(TOKEN);
            Visitor program = visitor.with("Authorization", "Bearer " + TOKEN);
            try (Visitor.Look page = operator.look("", "");
                    Visitor.Look reader = program.look("", "")) {
                page.next();
                reader.next();
                for (int i = 0; i < 1_000; i++) {
                    Visitor.Answer answer = visitor.post("/sign-in", Map.of("token", TOKEN));
                    assertThat(answer.head()).startsWith("HTTP/1.1 303").contains("; HttpOnly; SameSite=Lax");
                }
                assertThatThrownBy(() -> page.until(frame -> false)).hasMessage("the stream has ended");
                assertThat(operator.get("/events").status()).isEqualTo(401);
                for (int frames = 0; frames < 3; frames++) {
                    reader.next();
                }
                assertThat(dashboard.viewers()).isEqualTo(1);
            }
        }
    }

    @Test
    void nobodyFindsTheTokenByTrying() throws Exception {
        Premise.withLease(MINUTE, anyLease -> theTokenIsNotFound());
    }

    private void theTokenIsNotFound() throws Exception {
        long begun = System.nanoTime();
        try (Dashboard dashboard = start(Optional.of(TOKEN))) {
            Visitor visitor = new Visitor(dashboard);
            for (int i = 0; i < 10; i++) {
                assertThat(visitor.post("/sign-in", Map.of("token", "guess " + i))
                                .status())
                        .isEqualTo(401);
            }
            int status = visitor.post("/sign-in", Map.of("token", TOKEN)).status();
            Premise.check(System.nanoTime() - begun < MINUTE.toNanos(), "all is tried within a minute");
            assertThat(status).isEqualTo(401);
        }
    }

    @Test
    void aProgramWithAnOldTokenKeepsNobodyOut() throws Exception {
        try (Dashboard dashboard = start(Optional.of(TOKEN))) {
            Visitor visitor = new Visitor(dashboard);
            Visitor program = visitor.with("Authorization", "Bearer an old token");
            for (int i = 0; i < 30; i++) {
                assertThat(program.get("/events").status()).isEqualTo(401);
            }
            assertThat(visitor.post("/sign-in", Map.of("token", TOKEN)).status())
                    .isEqualTo(303);
        }
    }

    @Test
    void nothingIsLoadedFromElsewhereAndNothingIsKept() throws Exception {
        try (Dashboard dashboard = start(Optional.empty())) {
            Visitor visitor = new Visitor(dashboard);
            for (String path : List.of("/", "/dashboard.css", "/dashboard.js", "/icon.svg", "/nix")) {
                Visitor.Answer answer = visitor.get(path);
                assertThat(answer.head().toLowerCase(Locale.ROOT))
                        .contains(
                                "content-security-policy: default-src 'none'",
                                "frame-ancestors 'none'",
                                "x-content-type-options: nosniff",
                                "referrer-policy: same-origin",
                                "cache-control: no-store");
                assertThat(answer.body().replace("http://www.w3.org/2000/svg", ""))
                        .as(path)
                        .doesNotContain("http:", "https:", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(");
            }
            assertThat(visitor.get("/").body()).doesNotContain("style=", "onclick=");
        }
    }

    @Test
    void aProxyIsToldToPassOnTheStreamAtOnce() throws Exception {
        try (Dashboard dashboard = start(Optional.empty())) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(dashboard.url() + "events"))
                    .build();
            HttpResponse<InputStream> stream = HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
            try (InputStream body = stream.body()) {
                assertThat(body.read()).isPositive();
                assertThat(stream.headers().firstValue("X-Accel-Buffering")).contains("no");
            }
        }
    }

    @Test
    void badRequestsAreOneClearLine() throws Exception {
        try (Dashboard dashboard = start(Optional.empty())) {
            Visitor visitor = new Visitor(dashboard);
            assertThat(visitor.get("/nix").status()).isEqualTo(404);
            assertThat(visitor.ask("POST", "/", "x=y").status()).isEqualTo(405);
            assertThat(visitor.get("/events?search=%zz").status()).isEqualTo(400);
            assertThat(visitor.get("/events?open=" + "x".repeat(513)).status()).isEqualTo(400);
            assertThat(visitor.get("/events?open=%01").status()).isEqualTo(400);
            assertThat(visitor.post("/sign-in", Map.of("token", "x".repeat(70_000)))
                            .status())
                    .isEqualTo(400);
        }
    }

    /** As a monitor does every few seconds: each was two lines of the JDK's on the error output, and the end of the connection. */
    @Test
    void whoAsksForTheHeadAloneGetsItWithoutAWordInTheLog() throws Exception {
        Logger jdk = Logger.getLogger("com.sun.net.httpserver");
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = new StreamHandler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getMessage());
            }
        };
        jdk.addHandler(handler);
        try (Dashboard dashboard = start(Optional.empty());
                Socket socket = new Socket()) {
            socket.connect(dashboard.address());
            socket.setSoTimeout((int) Pace.patience().toMillis());
            BufferedReader answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            String host = "Host: 127.0.0.1:" + dashboard.address().getPort() + "\r\n\r\n";
            for (String request :
                    List.of("HEAD / HTTP/1.1\r\n", "HEAD /nix HTTP/1.1\r\nOrigin: http://evil.example\r\n")) {
                socket.getOutputStream().write((request + host).getBytes(UTF_8));
                assertThat(answers.readLine()).matches("HTTP/1.1 40[35] .*");
                while (!answers.readLine().isEmpty()) {
                    // to the end of the head
                }
            }
            socket.getOutputStream().write(("GET /nix HTTP/1.1\r\n" + host).getBytes(UTF_8));
            assertThat(answers.readLine()).startsWith("HTTP/1.1 404 ");
        } finally {
            jdk.removeHandler(handler);
        }
        assertThat(logged).isEmpty();
    }
}
