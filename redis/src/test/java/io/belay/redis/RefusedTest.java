package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.servers.FakeRedis;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that cannot be used, and how that is said: at once, in one line, with nothing written or left open. */
@ParameterizedClass
@EnumSource
class RefusedTest {
    private static final String PASSWORD = "geheim-&";

    private static RedisServer server;

    private final Version version;

    RefusedTest(Version version) {
        this.version = version;
    }

    @BeforeParameterizedClassInvocation
    static void start(Version version) throws Exception {
        server = RedisServer.builder(version).password(PASSWORD).start();
    }

    /** The first connection of a JVM takes long on a machine that has other things to do. */
    @BeforeAll
    static void warmUp() throws Exception {
        Told.warmUp();
    }

    @AfterParameterizedClassInvocation
    static void end() {
        server.close();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        Told.assertUntouched(server);
        Told.assertNoThreads();
    }

    private static String address(RedisServer of) {
        return "Redis at 127.0.0.1:" + of.port() + " ";
    }

    private static String url(String login) {
        return "redis://" + login + "127.0.0.1:" + server.port();
    }

    @ParameterizedTest
    @ValueSource(strings = {":geheim-wrong@", "default:geheim-wrong@", "nobody:geheim-&@", "nobody:geheim-wrong@"})
    void wrongPasswordOrUser(String login) {
        assertThat(Told.unusable(url(login)))
                .isEqualTo(address(server)
                        + "refused the user or password: check both, and that the user is on (it is default where none"
                        + " is named); in a URL a % of theirs is written %25")
                .isEqualTo(Told.unusable(url(login) + "?protocol=resp2"));
    }

    @Test
    void noPassword() {
        assertThat(Told.unusable(url("")))
                .isEqualTo(address(server)
                        + "asks for a password, or its user default is off: write :PASSWORD@ before the host into the"
                        + " URL, or USER:PASSWORD@ for another user")
                .isEqualTo(Told.unusable(url("") + "?protocol=resp2"));
        assertThat(Told.unusable("unix:" + server.socket()))
                .isEqualTo("Redis at " + server.socket() + " asks for a password, or its user default is off: write"
                        + " ?password= into the URL, and &user= for another user");
    }

    /** Redis words both as it does for a password that is missing or wrong. */
    @ParameterizedTest
    @ValueSource(strings = {"", ":geheim-&@"})
    void theDefaultUserIsOff(String login) throws Exception {
        String missing = login.isEmpty() ? Told.unusable(url("")) : Told.unusable(url(":geheim-wrong@"));
        server.command("ACL", "SETUSER", "default", "off");
        try {
            assertThat(Told.unusable(url(login)))
                    .isEqualTo(missing)
                    .isEqualTo(Told.unusable(url(login) + "?protocol=resp2"))
                    .containsPattern("default is off|that the user is on \\(it is default where none is named\\)");
        } finally {
            server.command("ACL", "SETUSER", "default", "on");
        }
    }

    /** RESP3 logs in by another command, which takes any password where none is set. */
    @Test
    void aPasswordWhereNoneIsSet() throws Exception {
        try (RedisServer open = RedisServer.start(version)) {
            String url = "redis://:geheim@127.0.0.1:" + open.port();
            assertThat(Told.unusable(url + "?protocol=resp2"))
                    .isEqualTo(address(open)
                            + "has no password for its default user: leave it out, or name the user whose it is");
            Belay.connect(url).close();
            Told.assertUntouched(open);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "resetchannels, &belay:*, channels",
        "-subscribe, +subscribe, 'subscribe'",
        "-publish, +publish, command",
        "resetkeys, ~belay:*, keys",
        "-eval, +eval, 'eval'",
        "-evalsha, +evalsha, 'evalsha'",
        "-info, +info, 'info'",
        "-select, +select, 'select'",
        "-time, +time, command",
        "-get, +get, command",
        "-set, +set, command",
        "-getrange, +getrange, command",
        "-setrange, +setrange, command",
        "-append, +append, command",
        "-pttl, +pttl, command"
    })
    void missingRights(String rule, String cure, String said) throws Exception {
        server.command("ACL", "SETUSER", "app", "reset", "on", ">" + PASSWORD, "~*", "allchannels", "+@all", rule);
        String message = Told.unusable(url("app:geheim-&@") + "/1");
        assertThat(message)
                .startsWith(address(server) + "denies its user a right that locks need: grant it by ACL SETUSER NAME ")
                .contains(cure)
                .contains(said);
        // What the message says is what helps.
        String grant = message.substring(message.indexOf("NAME ") + "NAME ".length(), message.indexOf(" ("));
        if (message.contains("' command")) {
            assertThat(grant).as("the server names the right that is missing").doesNotContain(" ");
        }
        server.command(("ACL SETUSER app " + grant).split(" "));
        Belay.connect(url("app:geheim-&@") + "/1?protocol=resp2").close();
    }

    @ParameterizedTest
    @CsvSource({
        "NOPERM User my-channel has no permissions to run the 'evalsha' command, +evalsha",
        "NOPERM No permissions to access a key, ~belay:*",
        "NOPERM No permissions to access a channel, &belay:*",
        "'ERR ACL failure in script: User app has no permissions to run the ''get'' command script: 0f, on @user_script:3.', +get",
        "'ERR ACL failure in script: No permissions to access a key script: 0f, on @user_script:3.', ~belay:*",
    })
    void missingRightsInTheWordsOf72(String error, String cure) throws Exception {
        assertThat(told(FakeRedis.start(name -> "-" + error)))
                .startsWith("denies its user a right that locks need: grant it by ACL SETUSER NAME " + cure + " (");
    }

    @Test
    void noSuchDatabase() {
        assertThat(Told.unusable(url(":geheim-&@") + "/99"))
                .isEqualTo(address(server) + "has no database 99: see 'databases' in its configuration");
    }

    @Test
    void nobodyThere() throws Exception {
        try (Socket bound = new Socket()) {
            // Nobody listens on it, nor can anybody else meanwhile.
            bound.bind(new InetSocketAddress("127.0.0.1", 0));
            int port = bound.getLocalPort();
            assertThat(Told.unavailable("redis://:geheim@127.0.0.1:" + port))
                    .isEqualTo("Redis at 127.0.0.1:" + port + " cannot be reached: Connection refused; is it running?");
        }
        assertThat(Told.unavailable("redis://:geheim@no-such-host.invalid"))
                .isEqualTo("Redis at no-such-host.invalid:6379 cannot be found: its host name is not known; check the"
                        + " URL");
        assertThat(Told.unavailable("unix:/no/such.sock?password=geheim"))
                .isEqualTo("Redis at /no/such.sock cannot be reached: there is no such socket; is it running?");
    }

    @Test
    void aSilentServerIsGivenUpInTime() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            for (String more : new String[] {"", "protocol=resp2&"}) {
                Told.givenUp(
                        "redis://:geheim@127.0.0.1:" + silent.getLocalPort() + "?" + more + "timeout=",
                        (message, limit) -> assertThat(message)
                                .startsWith("Redis at 127.0.0.1:" + silent.getLocalPort() + " did not answer within "
                                        + limit + ": is it stopped or overloaded?"));
            }
        }
    }

    /** As behind a firewall that drops what it does not like. */
    @Test
    void aConnectionThatIsNeverMadeIsGivenUpInTime() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                Socket first = new Socket("127.0.0.1", full.getLocalPort());
                Socket second = new Socket("127.0.0.1", full.getLocalPort())) {
            assertThat(first.isConnected() && second.isConnected()).isTrue();
            Told.givenUp(
                    "redis://:geheim@127.0.0.1:" + full.getLocalPort() + "?timeout=",
                    (message, limit) -> assertThat(message)
                            .startsWith("Redis at 127.0.0.1:" + full.getLocalPort())
                            .contains(limit));
        }
    }

    @Test
    void aBusyServerIsGivenUpInTime() throws Exception {
        String url = url(":geheim-&@");
        server.stop();
        try {
            Told.givenUp(
                    url + "?timeout=",
                    (message, limit) -> assertThat(message)
                            .startsWith(address(server) + "did not answer within " + limit
                                    + ": is it stopped or overloaded?"));
        } finally {
            server.resume();
        }
        Belay.connect(url).close();
    }

    @Test
    void clusterNodesAndReplicas() throws Exception {
        try (RedisServer node = RedisServer.start(version, "--cluster-enabled", "yes");
                RedisServer replica = RedisServer.start(version, "--replicaof", "127.0.0.1", "1")) {
            assertThat(Told.unusable(node.url()))
                    .isEqualTo(address(node)
                            + "is a node of a cluster, whose keys move to other nodes: write redis-cluster://");
            assertThat(Told.unavailable(replica.url()))
                    .isEqualTo(address(replica) + "is a replica, which cannot be written to: name its master");
            Told.assertUntouched(node);
            Told.assertUntouched(replica);
        }
    }

    /** The connection by which the server was found to run may still take a place. */
    private static Socket accepted(RedisServer server) throws IOException {
        while (true) {
            Socket socket = new Socket("127.0.0.1", server.port());
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            if (socket.getInputStream().read() == '+') {
                return socket;
            }
            socket.close();
        }
    }

    @Test
    void tooManyConnections() throws Exception {
        try (RedisServer small = RedisServer.start(version, "--maxclients", "2");
                Socket first = accepted(small);
                Socket second = accepted(small)) {
            assertThat(first.isConnected() && second.isConnected()).isTrue();
            assertThat(Told.unavailable(small.url()))
                    .isEqualTo(address(small)
                            + "has as many connections as its maxclients allows: raise that, or close some");
        }
    }

    @Test
    void renamedCommands() throws Exception {
        try (RedisServer renamed = RedisServer.start(version, "--rename-command", "EVALSHA", "")) {
            assertThat(Told.unusable(renamed.url()))
                    .startsWith(address(renamed) + "lacks a command that Belay needs, unknown command ")
                    .contains("EVALSHA")
                    .endsWith("has it been renamed?");
            Told.assertUntouched(renamed);
        }
    }

    private static String told(FakeRedis server) throws Exception {
        try (server) {
            String message = Told.refused("redis://app:geheim@127.0.0.1:" + server.port());
            await().until(() -> server.connections() == 0);
            assertThat(message).startsWith("Redis at 127.0.0.1:" + server.port() + " ");
            return message.substring(message.indexOf(' ', 10) + 1);
        }
    }

    @Test
    void protectedMode() throws Exception {
        assertThat(told(FakeRedis.start(name -> "-DENIED Redis is running in protected mode because protected mode is"
                        + " enabled and no password is set for the default user. In this mode connections are only"
                        + " accepted from the loopback interface. 4) Set up an authentication password.")))
                .isEqualTo(
                        "lets in nobody from another machine, as it is in protected mode and has no password: set one"
                                + " (requirepass), and write it into the URL");
    }

    @Test
    void tooOld() throws Exception {
        assertThat(told(FakeRedis.old("3.2.12"))).isEqualTo("is version '3.2.12', too old: Belay needs 6.2 or later");
        assertThat(told(FakeRedis.start(name -> switch (name) {
                    case "HELLO" -> "%1\r\n+proto\r\n:3";
                    case "INFO" -> FakeRedis.info("6.0.9");
                    default -> "+OK";
                })))
                .isEqualTo("is version '6.0.9', too old: Belay needs 6.2 or later");
    }

    @Test
    void whatServersRepeatIsNotShown() throws Exception {
        // As 5.0 says it, whose complaints repeat the arguments.
        assertThat(told(FakeRedis.start(
                        name -> "-ERR unknown command `" + name + "`, with args beginning with: `app`, `geheim`, ")))
                .isEqualTo("lacks a command that Belay needs, unknown command `AUTH`: has it been renamed?");
        assertThat(told(FakeRedis.start(name -> "-ERR cannot check 'geheim' now")))
                .isEqualTo("cannot do that now: ERR cannot check '***' now");
        assertThat(told(FakeRedis.start(name -> "-LOADING Redis is loading the dataset in memory")))
                .isEqualTo("is reading its data from disk, as after a start: wait until it has");
        assertThat(told(FakeRedis.start(name -> "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n")))
                .isEqualTo("answers in another way than Redis: check host and port");
    }
}
