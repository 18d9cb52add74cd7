package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.zaxxer.hikari.HikariDataSource;
import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Hikari pool whose server accepts connections and says nothing, as one that is suspended. */
@Tag("pools")
@Tag("long")
class SilentHikariTest {
    /** The first attempt may take so long, whatever the time-out. */
    private static final Duration FIRST = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mysql", "mariadb"})
    void isGivenUp(String kind) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
                HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:" + kind + "://127.0.0.1:" + silent.getLocalPort() + "/x");
            pool.setUsername("u");
            Jdbc jdbc = Jdbc.in(pool).withTimeout(Duration.ofSeconds(1));
            assertTimeoutPreemptively(
                    FIRST.plusSeconds(Pace.seconds()),
                    () -> assertThat(Told.by(
                                    StoreUnavailableException.class,
                                    () -> Belay.connect(jdbc, BelayOptions.defaults())))
                            .contains("cannot be reached or does not answer"));
        }
    }
}
