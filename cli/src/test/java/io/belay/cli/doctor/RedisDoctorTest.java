package io.belay.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.cli.Cli;
import io.belay.servers.CommandRun;
import io.belay.servers.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RedisDoctorTest {
    private static CommandRun doctor(String url) {
        return Cli.inside("doctor", "--store", url);
    }

    @Test
    @Tag("long")
    void aServerThatIsWellOneThatIsNotAndNone() throws Exception {
        String url;
        try (RedisServer server = RedisServer.builder(RedisServer.Version.V7_0)
                .password("geheim")
                .options("--appendonly", "yes", "--appendfsync", "always")
                .start()) {
            url = server.url().replace("//", "//:geheim@");
            CommandRun well = doctor(url);
            assertThat(well.exitCode()).as(well.output()).isZero();
            assertThat(well.output())
                    .startsWith("NOTE     rights\n")
                    .contains("\n\nround trips of 50 requests: median ", " ms, worst ")
                    .endsWith("\n\nfit: a lock was taken, and nothing found that endangers locks on "
                            + url.replace("geheim", "***") + "\n");

            server.command("CONFIG", "SET", "maxmemory", "1gb");
            server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            CommandRun evicting = doctor(url);
            assertThat(evicting.exitCode()).as(evicting.output()).isEqualTo(1);
            assertThat(evicting.output())
                    .startsWith("DANGER   eviction\n")
                    .contains("allkeys-lru", "\n\nunfit: 1 danger, 0 warnings, 2 notes on ");
        }
        CommandRun nobody = doctor(url);
        assertThat(nobody.exitCode()).as(nobody.output()).isEqualTo(2);
        assertThat(nobody.output().lines())
                .singleElement()
                .asString()
                .startsWith("belay: Redis at 127.0.0.1:")
                .endsWith("; is it running?")
                .doesNotContain("geheim");
    }
}
