package io.belay.dashboard;

import static io.belay.dashboard.Visitor.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The page of a store that goes away says since when, keeps what it knew, and goes on when the store is back. */
@Tag("long")
class StoreAwayTest {
    @Test
    void anOutageIsToldAndEnds() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
                Belay belay = Belay.connect(server.url());
                Dashboard dashboard = Dashboard.start(server.url(), DashboardOptions.local(0));
                Visitor.Look look = new Visitor(dashboard).look("", "");
                Lease lease = belay.lock("stock:7").acquire()) {
            long taken = System.currentTimeMillis();
            JsonNode before = look.until(frame -> !rows(frame, "stock:7").isEmpty());
            assertThat(before.has("awaySinceMillis")).isFalse();
            assertThat(lease.isHeld()).isTrue();

            server.kill();
            long killed = System.currentTimeMillis();
            JsonNode away = look.until(frame -> frame.has("awaySinceMillis"));
            assertThat(away.get("awaySinceMillis").asLong()).isBetween(taken - 1_000, killed + 1_000);
            assertThat(away.get("awayWhy").asString()).isNotBlank().doesNotContain("\n");
            assertThat(rows(away, "stock:7")).hasSize(1);
            assertThat(away.get("changes").get(0).get("kind").asString()).isEqualTo("away");

            server.startAgain();
            JsonNode back = look.until(frame -> !frame.has("awaySinceMillis"));
            assertThat(back.get("changes").toString()).contains("\"back\"");
            assertThat(back.get("atMillis").asLong()).isGreaterThan(killed);
        }
    }

    /** Whether nobody was seen to look is tried again: a reading that is under way when the page has gone may still count. */
    @Test
    void anOutageIsNotOlderThanTheQuestion() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
                Dashboard dashboard = Dashboard.start(server.url(), DashboardOptions.local(0))) {
            Visitor visitor = new Visitor(dashboard);
            try (Visitor.Look look = visitor.look("", "")) {
                assertThat(look.next().has("awaySinceMillis")).isFalse();
            }
            Awaitility.await().until(() -> dashboard.viewers() == 0);
            server.kill();
            Awaitility.await().atMost(Pace.patience()).until(() -> {
                long asked = System.currentTimeMillis();
                try (Visitor.Look look = visitor.look("", "")) {
                    JsonNode away = look.until(frame -> frame.has("awaySinceMillis"));
                    if (away.get("awaySinceMillis").asLong() >= asked) {
                        return true;
                    }
                }
                Awaitility.await().until(() -> dashboard.viewers() == 0);
                return false;
            });
        }
    }
}
