package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.CommandRun;
import io.belay.servers.FakeRedis;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Servers that cannot be used are one line and exit code 2, without a stack or a password. */
class BadServerTest {
    private static RedisServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RedisServer.builder(Version.V7_0).password("geheim-1").start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static void assertOneLine(String url, String... parts) {
        for (String command : new String[] {"inspect x", "doctor", "hammer x --seconds 1"}) {
            CommandRun run = Cli.inside((command + " --store " + url).split(" "));
            assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
            assertThat(run.output().strip())
                    .as(command)
                    .startsWith("belay: Redis at 127.0.0.1:")
                    .contains(parts)
                    .doesNotContain("\n", "Exception", "geheim");
        }
    }

    @Test
    void wrongPassword() {
        assertOneLine("redis://:geheim-2@127.0.0.1:" + server.port(), "refused the user or password");
        assertOneLine("redis://127.0.0.1:" + server.port(), "asks for a password");
    }

    @Test
    void unreachable() {
        assertOneLine("redis://app:geheim-1@127.0.0.1:1", ":1 cannot be reached: Connection refused; is it running?");
    }

    @Test
    void clusterNode() throws Exception {
        try (RedisServer node = RedisServer.start(Version.V7_0, "--cluster-enabled", "yes")) {
            assertOneLine(node.url(), "is a node of a cluster");
        }
    }

    @Test
    void tooOld() throws Exception {
        try (FakeRedis old = FakeRedis.old("3.2.12")) {
            assertOneLine(old.url(), "is version '3.2.12', too old");
        }
    }

    @Test
    void tlsWhereThereIsNone() {
        assertOneLine("rediss://:geheim-1@127.0.0.1:" + server.port() + "?timeout=300ms", "write redis://");
    }

    /** As users see it, with the log of the libraries. */
    @Test
    void inAProcessOfItsOwn() throws Exception {
        CommandRun run = Cli.run(
                Map.of("PASSWORD_OF_TEST", "geheim-2"),
                "inspect",
                "x",
                "--store",
                "redis://:${PASSWORD_OF_TEST}@127.0.0.1:" + server.port());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.output().strip())
                .isEqualTo("belay: Redis at 127.0.0.1:" + server.port()
                        + " refused the user or password: check both, and that the user is on (it is default where none is"
                        + " named); in a URL a % of theirs is written %25");
    }
}
