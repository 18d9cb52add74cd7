package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.Certificates;
import io.belay.servers.ChildJvm;
import io.belay.servers.CommandRun;
import io.belay.servers.Pace;
import io.belay.servers.ZooKeeperServer;
import io.belay.spi.Finding;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("consensus")
@Tag("long")
class TlsTest {
    private static Certificates certificates;
    private static ZooKeeperServer server;
    /** Asks for a certificate. */
    private static ZooKeeperServer strict;

    @BeforeAll
    static void start() throws Exception {
        certificates = Certificates.create();
        server = ZooKeeperServer.start(certificates);
        strict = ZooKeeperServer.start(certificates, "ssl.clientAuth=need");
    }

    @AfterAll
    static void end() {
        server.close();
        strict.close();
        certificates.close();
    }

    private static String at(String host, String parameters) {
        return "zookeepers://" + host + ":" + server.securePort() + parameters;
    }

    private static String ca() {
        return "?ca=" + certificates.caFile();
    }

    private static String message(Class<? extends BelayException> type, String url) {
        Throwable thrown = catchThrowable(() -> Belay.connect(url).close());
        assertThat(thrown).isInstanceOf(type);
        return assertThat(thrown.getMessage())
                .doesNotContain("\n", "Exception", "null", "geheim")
                .hasSizeBetween(25, 400)
                .actual();
    }

    private static void handOver(String one, String two) throws Exception {
        try (Belay first = Belay.connect(one);
                Belay second = Belay.connect(two)) {
            Lease held = first.lock("x").acquire();
            CompletableFuture<Lease> waiting = second.lock("x").acquireAsync();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Lease next = waiting.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(next.token()).isGreaterThan(held.token());
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void trustsWhomItIsTold() throws Exception {
        handOver(at("127.0.0.1", ca()), at("localhost", ca()));
    }

    /** Connects to the URL in its argument. */
    static final class Connecting {
        public static void main(String[] arguments) {
            Belay.connect(arguments[0]).close();
            System.out.println("connected");
        }
    }

    private static String connect(String url) throws Exception {
        CommandRun run = CommandRun.of(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        ChildJvm.classPath(TlsTest.class),
                        Connecting.class.getName(),
                        url + (url.contains("?") ? "&" : "?") + "timeout=1m") // on a busy machine a JVM begins slowly
                .redirectErrorStream(true)
                .start());
        assertThat(run.exitCode()).as(run.output()).isZero();
        return run.output();
    }

    /** As docs/compatibility.md says. */
    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    @EnabledForJreRange(minVersion = 24)
    void javaWarnsOfTheTransportByTlsAlone() throws Exception {
        String warning = "restricted method in java.lang.System";
        assertThat(connect(at("127.0.0.1", ca()))).contains("connected", warning);
        assertThat(connect(server.url())).contains("connected").doesNotContain(warning);
    }

    @Test
    void distrustsOthers() {
        String here = "ZooKeeper at 127.0.0.1:" + server.securePort();
        assertThat(message(StoreMisconfiguredException.class, at("127.0.0.1", "?ca=" + certificates.strangerFile())))
                .isEqualTo(here + " shows a certificate that no certificate in " + certificates.strangerFile()
                        + " has signed: name the file of its CA by ca=");
        assertThat(message(StoreMisconfiguredException.class, at("shop:geheim@127.0.0.1", "")))
                .isEqualTo(here + " shows a certificate that the JVM does not trust: name the file of its CA by ca=");
    }

    @Test
    void namesAreCompared() throws Exception {
        try (ZooKeeperServer other = ZooKeeperServer.start(certificates, "secureClientPortAddress=127.0.0.2")) {
            String hosts = "127.0.0.2:" + other.securePort();
            assertThat(message(StoreMisconfiguredException.class, "zookeepers://" + hosts + ca()))
                    .startsWith("ZooKeeper at " + hosts
                            + " shows a certificate for another host: connect by a name in it (");
            assertThat(BelayAdmin.examine(at("127.0.0.1", "," + hosts + ca())))
                    .filteredOn(finding -> finding.subject().equals("members"))
                    .extracting(Finding::finding)
                    .anyMatch(text -> text.startsWith(hosts + " cannot be used by TLS ("));
        }
    }

    /** The others may be restarting. */
    @Test
    void oneThatIsDistrustedIsWaitedForWhileAnotherIsAway() throws Exception {
        try (ServerSocket away = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String stranger = "127.0.0.1:" + server.securePort();
            String port = "127.0.0.1:" + away.getLocalPort();
            away.close();
            for (String hosts : List.of(port + "," + stranger, stranger + "," + port)) {
                assertThat(message(
                                StoreUnavailableException.class,
                                "zookeepers://" + hosts + "?ca=" + certificates.strangerFile()))
                        .contains(" shows a certificate that no certificate in ");
            }
        }
        assertThat(message(
                        StoreMisconfiguredException.class,
                        at("127.0.0.1", ",localhost:" + server.securePort() + "?ca=" + certificates.strangerFile())))
                .contains(" shows a certificate that no certificate in ");
    }

    @Test
    void showsACertificateWhereOneIsAskedFor() throws Exception {
        String url = "zookeepers://127.0.0.1:" + strict.securePort() + ca();
        String own = url + "&cert=" + certificates.clientCertAndKeyFile();
        handOver(own, own);
        // The alert may be overtaken by the end of the connection, which is then all that is known.
        assertThat(message(BelayException.class, url))
                .contains("if it asks for a certificate of this client, name the file by cert=");
        Path stranger = certificates.strangerFile().resolveSibling("stranger.pem");
        assertThat(message(BelayException.class, url + "&cert=" + stranger))
                .contains("check the certificate and key in the file that cert= names");
    }

    @Test
    void tlsAndPlainAreTakenForEachOther() {
        assertThat(message(StoreUnavailableException.class, "zookeepers://shop:geheim@127.0.0.1:" + server.port()))
                .contains("if it does not speak TLS there, write zookeeper://");
        assertThat(message(StoreUnavailableException.class, "zookeeper://shop:geheim@127.0.0.1:" + server.securePort()))
                .contains("closes them without an answer: if it speaks TLS there, write zookeepers://");
    }

    /** As a server whose maxClientCnxns is reached, or a balancer with nobody behind it: that passes. */
    @Test
    void whoHangsUpMayBeFull() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            Thread full = new Thread(() -> {
                try {
                    while (true) {
                        listener.accept().close();
                    }
                } catch (IOException e) {
                    // The test is over.
                }
            });
            full.start();
            assertThat(message(
                            StoreUnavailableException.class,
                            "zookeepers://shop:geheim@127.0.0.1:" + listener.getLocalPort()))
                    .contains("(maxClientCnxns)", "if it does not speak TLS there, write zookeeper://");
        }
    }

    /** Of a write to one that has gone the system says why, here in German. */
    @Test
    void whoHangsUpDoesSoInAnyLanguage() {
        assertThat(isTemporary(new SocketException("Connection reset"))).isTrue();
        assertThat(isTemporary(new SocketException("Datenübergabe unterbrochen (broken pipe)")))
                .isTrue();
        assertThat(isTemporary(new EOFException("SSL peer shut down incorrectly")))
                .isTrue();
        assertThat(isTemporary(new SSLException("Unsupported or unrecognized SSL message: plaintext")))
                .isFalse();
    }

    private static boolean isTemporary(Exception cause) {
        return new Tls(null, null).explain(cause, what -> what).isTemporary();
    }

    @Test
    void aServerThatIsFullIsWaitedFor() throws Exception {
        try (ZooKeeperServer small = ZooKeeperServer.start(certificates, "maxClientCnxns=1")) {
            String url = "zookeepers://127.0.0.1:" + small.securePort() + ca();
            BelayOptions ifReachable = BelayOptions.defaults().withConnectMode(ConnectMode.IF_REACHABLE);
            try (Belay first = Belay.connect(url)) {
                first.lock("x").acquire().release();
                assertThat(message(StoreUnavailableException.class, url)).contains("(maxClientCnxns)");
                try (Belay second = Belay.connect(url, ifReachable)) {
                    CompletableFuture<Lease> waiting = second.lock("x").acquireAsync();
                    first.close();
                    waiting.get(Pace.seconds(), TimeUnit.SECONDS).release();
                }
            }
        }
    }

    /** One that is right and one that is not are side by side in a list of hosts. */
    @Test
    void aServerThatAnswersIsEnough() {
        String hosts = "127.0.0.1:" + server.port() + ",127.0.0.1:" + server.securePort();
        Belay.connect("zookeepers://" + hosts + ca()).close();
    }

    @Test
    void filesAreLookedAtFirst() {
        assertThat(message(StoreMisconfiguredException.class, "zookeepers://nowhere?ca=" + certificates.keyFile()))
                .endsWith("holds no certificate in PEM");
        assertThat(message(
                        StoreMisconfiguredException.class,
                        "zookeepers://nowhere?cert=" + certificates.clientCertFile()))
                .contains("does not hold a certificate in PEM and its key");
    }
}
