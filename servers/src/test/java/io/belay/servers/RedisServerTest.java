package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.RedisServer.Version;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("selftest")
@Tag("long")
class RedisServerTest {
    @ParameterizedTest
    @EnumSource
    void answersOnItsPortAndOnItsSocket(Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version, "--maxmemory", "4mb");
                Client client = Client.to(server.port())) {
            assertThat(server.url()).isEqualTo("redis://127.0.0.1:" + server.port());
            assertThat(client.call("SET", "k", "v")).containsExactly("OK");
            assertThat(server.command("GET", "k")).isEqualTo("v");
            assertThat(server.command("GET", "none")).isEqualTo("(nil)");
            assertThat(server.command("CONFIG", "GET", "maxmemory")).isEqualTo("maxmemory\n4194304");
            assertThat(server.command("INFO", "server"))
                    .contains("redis_version:" + (version == Version.V6_2 ? "6.2." : "7.0."));
            assertThat(server.command("DEBUG", "SLEEP", "0")).isEqualTo("OK");
            assertThatThrownBy(() -> server.command("INCR", "k"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("INCR: ERR value is not an integer");
        }
    }

    @ParameterizedTest
    @EnumSource
    void killedAndRestartedItIsEmptyOnTheSamePort(Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version)) {
            long pid = server.pid();
            server.command("SET", "k", "v");
            server.kill();
            assertThat(ProcessHandle.of(pid)).isEmpty();
            assertThatThrownBy(() -> Client.to(server.port())).isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> server.command("PING")).isInstanceOf(IOException.class);

            server.restart();
            assertThat(server.pid()).isNotEqualTo(pid);
            try (Client client = Client.to(server.port())) {
                assertThat(client.call("GET", "k")).containsExactly("(nil)");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void withAnAppendOnlyFileItKeepsWhatItHad(Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version, "--appendonly", "yes", "--appendfsync", "always")) {
            server.command("SET", "k", "v");
            server.restart();
            assertThat(server.command("GET", "k")).isEqualTo("v");
        }
    }

    @ParameterizedTest
    @EnumSource
    void fromASnapshotItHasWhatItHadThen(Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version, "--appendonly", "yes", "--appendfsync", "always")) {
            assertThatThrownBy(server::restartFromSnapshot).hasMessage("there is no snapshot");
            server.restart();
            for (String value : List.of("1", "2")) {
                server.command("SET", "k", value);
                server.takeSnapshot();
                server.command("SET", "k", "later");
                server.restartFromSnapshot();
                assertThat(server.command("GET", "k")).isEqualTo(value);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void stoppedItIsSilentUntilItIsResumed(Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version);
                Client client = Client.to(server.port())) {
            server.stop();
            client.send("PING");
            client.socket.setSoTimeout(100);
            assertThatThrownBy(client::read).isInstanceOf(SocketTimeoutException.class);
            server.resume();
            client.isPatient();
            assertThat(client.read()).containsExactly("PONG");
        }
    }

    @Test
    void aStoppedServerCanBeKilled() throws Exception {
        try (RedisServer server = RedisServer.start(Version.V7_0)) {
            server.stop();
            server.restart();
            assertThat(server.command("PING")).isEqualTo("PONG");
        }
    }

    @ParameterizedTest
    @EnumSource
    void passwordsAndUsersDoNotLockTheTestOut(Version version) throws Exception {
        try (RedisServer server = RedisServer.builder(version)
                        .password("secret")
                        .user("app", "on", ">app secret", "~belay:*", "+@all", "-@dangerous")
                        .start();
                Client client = Client.to(server.port())) {
            assertThat(client.call("PING")).containsExactly("NOAUTH Authentication required.");
            assertThat(client.call("AUTH", "secret")).containsExactly("OK");
            assertThat(client.call("SET", "k", "v")).containsExactly("OK");
            assertThat(client.call("AUTH", "app", "app secret")).containsExactly("OK");
            assertThat(client.call("GET", "k").get(0)).startsWith("NOPERM");
            server.command("ACL", "SETUSER", "default", "off");
            assertThat(server.command("GET", "k")).isEqualTo("v");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMonitorShowsWhatWasRunBefore(Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version);
                Client client = Client.to(server.port());
                Monitor monitor = server.monitor()) {
            client.call("SET", "k", "1");
            assertThat(monitor.lines()).singleElement().asString().endsWith("] \"SET\" \"k\" \"1\"");
            monitor.clear();
            client.call("EVAL", "return redis.call('incr', KEYS[1])", "1", "k");
            assertThat(monitor.lines()).hasSize(2).last().asString().endsWith(" lua] \"incr\" \"k\"");
            server.kill();
            assertThatThrownBy(monitor::lines).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatDoesNotStartSaysWhy(Version version) {
        assertThatThrownBy(() -> RedisServer.start(version, "--no-such-option", "1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-option");
    }

    @ParameterizedTest
    @EnumSource
    void ofPortsThatAreTakenFiveAreTried(Version version) throws Exception {
        try (ServerSocket taken = Ports.listen()) {
            int port = Ports.free();
            Iterator<Integer> ports =
                    List.of(taken.getLocalPort(), taken.getLocalPort(), port).iterator();
            try (RedisServer server =
                    RedisServer.builder(version).ports(ports::next).start()) {
                assertThat(server.port()).isEqualTo(port);
            }
            AtomicInteger tried = new AtomicInteger();
            IntSupplier same = () -> {
                tried.incrementAndGet();
                return taken.getLocalPort();
            };
            assertThatThrownBy(() -> RedisServer.builder(version).ports(same).start())
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("none of 5 ports was free")
                    .hasMessageContaining("Failed listening on port " + taken.getLocalPort());
            assertThat(tried).hasValue(5);
        }
    }

    @Test
    void nothingIsLeftOfWhatIsClosed() throws Exception {
        RedisServer server = RedisServer.start(Version.V7_0);
        long pid = server.pid();
        server.close();
        server.close();
        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(server.socket().getParent()).doesNotExist();
    }

    @Test
    void nothingIsLeftOfWhatAJvmForgets() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Forgetful.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> said = jvm.inputReader().lines().toList();
        assertThat(jvm.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(said).hasSize(3);
        assertThat(ProcessHandle.of(Long.parseLong(said.get(0)))).isEmpty();
        assertThat(Files.exists(Path.of(said.get(1)))).isFalse();
        assertThat(Files.exists(Path.of(said.get(2)))).isFalse();
    }

    /** A program that does not close its server. */
    static final class Forgetful {
        public static void main(String[] arguments) throws Exception {
            RedisServer server = RedisServer.start(Version.V7_0);
            System.out.println(server.pid());
            System.out.println(server.socket().getParent());
            System.out.println(RedisBinary.of(Version.V7_0).getParent());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "V6_2, Linux,    amd64,   /redis-server-6.2.6-v5-linux-amd64",
        "V6_2, Linux,    aarch64, /redis-server-6.2.7-linux-arm64",
        "V6_2, Mac OS X, x86_64,  /redis-server-6.2.6-v5-darwin-amd64",
        "V6_2, Mac OS X, aarch64, /redis-server-6.2.6-v5-darwin-arm64",
        "V7_0, Linux,    amd64,   /redis-server-7.0.15-linux-amd64",
        "V7_0, Linux,    aarch64, /redis-server-7.0.15-linux-arm64",
        "V7_0, Mac OS X, x86_64,  /redis-server-7.0.15-darwin-amd64",
        "V7_0, Mac OS X, aarch64, /redis-server-7.0.15-darwin-arm64",
    })
    void eachMachineHasItsBinary(Version version, String os, String arch, String resource) {
        assertThat(RedisBinary.resource(version, os, arch)).isEqualTo(resource);
        assertThat(RedisBinary.class.getResource(resource)).isNotNull();
    }
}
