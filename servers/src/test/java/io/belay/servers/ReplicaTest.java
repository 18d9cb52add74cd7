package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.belay.servers.RedisServer.Version;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("selftest")
@Tag("long")
class ReplicaTest {
    @ParameterizedTest
    @EnumSource
    void aPromotedReplicaHasWhatItWasToldBeforeItWasDetached(Version version) throws Exception {
        try (RedisServer master = RedisServer.start(version);
                RedisServer replica =
                        RedisServer.builder(version).replicaOf(master.port()).start()) {
            master.command("SET", "k", "told");
            replica.awaitSync(master);
            assertThat(master.role()).isEqualTo("master");
            assertThat(replica.role()).isEqualTo("slave");
            assertThatThrownBy(() -> replica.command("SET", "k", "v")).hasMessageContaining("READONLY");

            replica.detach();
            master.command("SET", "k", "missed");
            assertThat(replica.role()).isEqualTo("slave");
            replica.promote();
            assertThat(replica.role()).isEqualTo("master");
            assertThat(replica.command("GET", "k")).isEqualTo("told");
        }
    }

    @ParameterizedTest
    @EnumSource(Clock.class)
    void theClockOfAServerCanBeOff(Clock clock) throws Exception {
        assumeThat(RedisServer.canSetClock())
                .as("Debian's package faketime is installed")
                .isTrue();
        Path shared;
        try (RedisServer server = RedisServer.builder(Version.V6_2)
                .clock(Duration.ofSeconds(clock.offset))
                .start()) {
            shared = Path.of("/dev/shm", "faketime_shm_" + server.pid());
            long before = System.currentTimeMillis() / 1000;
            long shown =
                    Long.parseLong(server.command("TIME").lines().findFirst().orElseThrow());
            long after = System.currentTimeMillis() / 1000;
            assertThat(shown).isBetween(before + clock.offset - 1, after + clock.offset + 1);
            // It expires what it should, and when: its timers are not those of the clock it shows.
            server.command("SET", "k", "v", "PX", "20");
            Waiting.until(
                    "a key that has expired",
                    () -> server.command("EXISTS", "k").equals("0"));
        }
        assertThat(shared).doesNotExist();
    }

    enum Clock {
        BEHIND(-10),
        AHEAD(3_600);

        private final long offset;

        Clock(long offset) {
            this.offset = offset;
        }
    }

    @Test
    void onlyADynamicallyLinkedServerHasAnotherClock() {
        assertThatThrownBy(() -> RedisServer.builder(Version.V7_0).clock(Duration.ofSeconds(1)))
                .hasMessageContaining("only 6.2");
    }
}
