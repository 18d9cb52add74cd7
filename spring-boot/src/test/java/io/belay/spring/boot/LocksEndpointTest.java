package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.servers.Pace;
import io.belay.support.Log;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The endpoint, health and meters of a running application. */
class LocksEndpointTest {
    private final HttpClient http = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext run(String... more) {
        return run(WebApplication.class, more);
    }

    private static ConfigurableApplicationContext run(Class<?> source, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--belay.url=memory:endpoint",
                "--management.endpoints.web.exposure.include=*",
                "--management.endpoint.health.show-details=always"));
        arguments.addAll(List.of(more));
        return WebApplication.run(arguments, source);
    }

    private HttpResponse<String> ask(ConfigurableApplicationContext application, String method, String path)
            throws Exception {
        int port = ((WebServerApplicationContext) application).getWebServer().getPort();
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator" + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void whatIsHeldCanBeSeenAndIsTakenAwayOnlyWithUnrestrictedAccess() throws Exception {
        try (ConfigurableApplicationContext application = run()) {
            Belay belay = application.getBean(Belay.class);
            Lease lease = belay.onBehalfOf("order 7").lock("stock:a/b").acquire();
            assertThat(ask(application, "GET", "/locks").body())
                    .contains("\"name\":\"stock:a/b\"")
                    .contains("order 7")
                    .doesNotContain("\"names\":[");
            assertThat(ask(application, "GET", "/locks?prefix=stock").body()).contains("\"names\":[\"stock:a/b\"]");
            assertThat(ask(application, "GET", "/locks/stock:a/b").body())
                    .contains("\"claims\":[{\"client\":\"")
                    .contains("\"place\":0")
                    .contains(String.valueOf(lease.token()));
            assertThat(ask(application, "DELETE", "/locks/stock:a/b").statusCode())
                    .isEqualTo(405);
            assertThat(lease.isHeld()).isTrue();
            assertThat(ask(application, "GET", "/health").body())
                    .contains("\"belay\":{")
                    .contains("\"UP\"");
            assertThat(ask(application, "GET", "/health/readiness").body()).doesNotContain("belay");
            assertThat(ask(application, "GET", "/metrics").body()).contains("belay.");
            lease.release();
        }
        try (ConfigurableApplicationContext application = run("--management.endpoint.locks.access=unrestricted")) {
            Lease lease = application.getBean(Belay.class).lock("stock:a/b").acquire();
            assertThat(ask(application, "DELETE", "/locks/stock:a/b").body()).contains("\"taken\":true");
            assertThat(ask(application, "DELETE", "/locks/stock:a/b").body()).contains("\"taken\":false");
            await().until(() -> !lease.isHeld());
        }
    }

    /** Has each request come from somebody who has signed in. */
    @Configuration(proxyBeanMethods = false)
    static class SignedIn {
        @Bean
        Filter bob() {
            return (request, response, chain) -> chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                        @Override
                        public Principal getUserPrincipal() {
                            return () -> "bob";
                        }
                    },
                    response);
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void theHolderAndTheLogAreToldWhoHasTakenALockAway(CapturedOutput lines) throws Exception {
        try (ConfigurableApplicationContext application =
                run(SignedIn.class, "--management.endpoint.locks.access=unrestricted")) {
            BlockingQueue<LeaseLostException> losses = new LinkedBlockingQueue<>();
            Lease lease = application.getBean(Belay.class).lock("/stock:7").acquire();
            lease.onLost(losses::add);
            ask(application, "DELETE", "/locks?name=/stock:7");
            LeaseLostException loss = losses.poll(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(loss).isNotNull();
            assertThat(loss.forcedBy()).hasValueSatisfying(by -> assertThat(by).contains("for bob at the actuator"));
            ask(application, "DELETE", "/locks/stock:8");
            Log.flush(Pace.patience());
            assertThat(lines)
                    .contains(
                            "bob at the actuator took the lock '/stock:7' away",
                            "bob at the actuator is about to take the lock 'stock:8' away",
                            "bob at the actuator took nothing away: nobody had the lock 'stock:8'");
        }
    }

    @Test
    void aNameThatCannotBeIsToldWithItsReason() throws Exception {
        try (ConfigurableApplicationContext application = run("--management.endpoint.locks.access=unrestricted")) {
            for (String method : List.of("GET", "DELETE")) {
                HttpResponse<String> told = ask(application, method, "/locks?name=" + "x".repeat(513));
                assertThat(told.statusCode()).isEqualTo(400);
                assertThat(told.body()).contains("\"failure\":\"", "has 513 bytes");
            }
        }
    }

    /** That is when somebody asks who has a lock. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void whileTheStoreIsAwayThatIsToldWithItsReason(CapturedOutput lines) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ConfigurableApplicationContext application = WebApplication.run(List.of(
                        "--belay.url=redis://127.0.0.1:" + silent.getLocalPort(),
                        "--belay.request-timeout=100ms",
                        "--management.endpoints.web.exposure.include=locks",
                        "--management.endpoint.locks.access=unrestricted"))) {
            for (String path : List.of("/locks/x", "/locks?prefix=x", "/locks?name=x")) {
                HttpResponse<String> told = ask(application, "GET", path);
                assertThat(told.statusCode()).as(path).isEqualTo(503);
                assertThat(told.body()).contains("\"failure\":\"", "the store ");
                if (path.contains("?")) { // for which no store is asked
                    assertThat(told.body()).startsWith("{\"holds\":[],\"waits\":[],");
                }
            }
            HttpResponse<String> taken = ask(application, "DELETE", "/locks/x");
            assertThat(taken.statusCode()).isEqualTo(503);
            assertThat(taken.body()).startsWith("{\"failure\":\"It may have been taken away, look again: ");
            Log.flush(Pace.patience());
            assertThat(lines)
                    .contains("the actuator may have taken the lock 'x' away: the store did not say so in time");
            assertThat(ask(application, "GET", "/locks").statusCode()).isEqualTo(200);
        }
    }

    /** A path tells nothing of empty parts. */
    @Test
    void aNameWithAnyPartsIsGivenAsAParameter() throws Exception {
        try (ConfigurableApplicationContext application = run("--management.endpoint.locks.access=unrestricted")) {
            Belay belay = application.getBean(Belay.class);
            Lease other = belay.lock("a/b").acquire();
            Lease lease = belay.lock("/a//b").acquire();
            JsonNode told = JsonMapper.shared()
                    .readTree(ask(application, "GET", "/locks?name=/a//b").body())
                    .path("lock");
            assertThat(told.path("name").asString()).isEqualTo("/a//b");
            assertThat(told.at("/claims/0/token").asLong()).isEqualTo(lease.token());
            assertThat(ask(application, "DELETE", "/locks").statusCode()).isEqualTo(400);
            assertThat(List.of(lease, other)).allMatch(Lease::isHeld);
            assertThat(ask(application, "DELETE", "/locks?name=/a//b").body()).contains("\"taken\":true");
            await().until(() -> !lease.isHeld());
            assertThat(other.isHeld()).isTrue();
            other.release();
        }
    }

    @Test
    void allNamesAreFullWhereTheApplicationsAreInANamespace() throws Exception {
        try (ConfigurableApplicationContext application =
                run("--belay.namespace=north", "--management.endpoint.locks.access=unrestricted")) {
            Lease lease = application.getBean(Belay.class).lock("stock:1").acquire();
            assertThat(ask(application, "GET", "/locks?prefix=north:").body())
                    .contains("\"holds\":[{\"name\":\"north:stock:1\"")
                    .contains("\"names\":[\"north:stock:1\"]");
            assertThat(ask(application, "GET", "/locks/north:stock:1").body())
                    .contains("\"name\":\"north:stock:1\"")
                    .contains(String.valueOf(lease.token()));
            assertThat(ask(application, "DELETE", "/locks/north:stock:1").body())
                    .contains("\"taken\":true");
            await().until(() -> !lease.isHeld());
        }
    }
}
