package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.StoreUnavailableException;
import io.belay.servers.PostgresServer;
import io.belay.servers.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that answers later than {@code belay-timeout} while a client connects, as on a busy machine. */
@Tag("drivers")
@Tag("long")
class FirstCheckTest {
    @Test
    void theFirstCheckMayTakeLongerThanWhatFollows() throws Exception {
        assumeThat(PostgresServer.isInstalled()).as("PostgreSQL is installed").isTrue();
        try (PostgresServer server = PostgresServer.builder().withoutFsync().start();
                TcpProxy slow = TcpProxy.to(server)) {
            slow.delayReplies(Duration.ofMillis(150));
            String url = server.url(slow.port());
            url += (url.contains("?") ? "&" : "?") + "belay-create=true&belay-timeout=100ms";
            try (Belay belay = Belay.connect(url)) {
                assertThatThrownBy(() -> belay.lock("x").tryAcquire()).isInstanceOf(StoreUnavailableException.class);
                slow.delayReplies(Duration.ZERO);
                await().until(() -> {
                    belay.lock("y").acquire().close();
                    return true;
                });
            }
        }
    }
}
