package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.servers.Certificates;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.spi.Finding;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.auth.Permission;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("consensus")
@Tag("long")
class TlsTest {
    private static final Duration STANDSTILL = Duration.ofSeconds(20);

    /** So many that each member's turn comes. */
    private static final int REQUESTS = 10;

    private static Certificates certificates;
    private static EtcdServer server;
    /** Asks for a certificate, whose name is that of a user. */
    private static EtcdServer strict;

    private static EtcdServer plain;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        certificates = Certificates.create();
        server = EtcdServer.start(certificates);
        strict = EtcdServer.start(
                certificates,
                "--client-cert-auth",
                "--trusted-ca-file",
                certificates.caFile().toString());
        plain = EtcdServer.start();
        ClientBuilder builder = Client.builder().endpoints("https://127.0.0.1:" + strict.port());
        new Tls(
                        certificates.caFile().toString(),
                        certificates.clientCertFile().toString(),
                        certificates.clientKeyFile().toString())
                .addTo(builder);
        try (Client first = builder.build()) {
            Users users = new Users(first);
            users.add("Belay test client", Told.SECRET, Permission.Type.READWRITE);
            users.enable();
        }
    }

    @AfterAll
    static void end() {
        if (plain != null) {
            plain.close();
            strict.close();
            server.close();
            certificates.close();
        }
    }

    private static String at(String host, String parameters) {
        return "etcds://" + host + ":" + server.port() + parameters;
    }

    private static String ca() {
        return "?ca=" + certificates.caFile();
    }

    private static String strict(Path cert, Path key) {
        return "etcds://127.0.0.1:" + strict.port() + ca() + "&cert=" + cert + "&key=" + key;
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
        assertThat(BelayAdmin.examine(at("localhost", ca())))
                .extracting(Finding::subject)
                .contains("members");
    }

    /** Whoever is connected anew after the timeout fails its handshake ten seconds later. */
    @Test
    void whoWaitsGoesOnWhileTheServerStandsStill() throws Exception {
        BelayOptions options =
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(Duration.ofMinutes(5)));
        try (EtcdServer stopped = EtcdServer.start(certificates);
                Belay first = Belay.connect("etcds://127.0.0.1:" + stopped.port() + ca(), options);
                Belay second = Belay.connect("etcds://127.0.0.1:" + stopped.port() + ca(), options)) {
            Lease held = first.lock("x").acquire();
            CompletableFuture<Lease> waiting = second.lock("x").acquireAsync();
            await().until(() -> first.admin().inspect("x").claims().size() == 2);
            stopped.stop();
            long since = System.nanoTime();
            await().atMost(STANDSTILL.plus(Pace.patience()))
                    .until(() -> waiting.isDone() || System.nanoTime() - since > STANDSTILL.toNanos());
            assertThat(waiting).isNotDone();
            stopped.resume();
            await().ignoreExceptions()
                    .until(() -> first.admin().inspect("x").claims().size() == 2);
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(waiting.get(Pace.seconds(), TimeUnit.SECONDS).release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void distrustsOthers() {
        String here = "etcd at 127.0.0.1:" + server.port();
        assertThat(Told.unusable(at("127.0.0.1", "?ca=" + certificates.strangerFile())))
                .isEqualTo(here + " shows a certificate that no certificate in " + certificates.strangerFile()
                        + " has signed: name the file of its CA by ca=");
        assertThat(Told.unusable(at("geheim:geheim@127.0.0.1", "")))
                .isEqualTo(here + " shows a certificate that the JVM does not trust: name the file of its CA by ca=");
        assertThat(Told.unusable(at("127.0.0.2", ca())))
                .startsWith("etcd at 127.0.0.2:" + server.port()
                        + " shows a certificate for another host: connect by a name in it (");
    }

    /** Of two addresses its certificate is for the first alone: as of two members, of which one has a bad certificate. */
    @Test
    void whoWaitsIsNotThrownOutByOneMemberWhileTheOthersAreAway() throws Exception {
        BelayOptions options =
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(Duration.ofMinutes(5)));
        try (EtcdServer restarted = EtcdServer.start(certificates)) {
            String bad = "127.0.0.2:" + restarted.port();
            String url = "etcds://127.0.0.1:" + restarted.port() + "," + bad + ca();
            try (Belay first = Belay.connect(url, options);
                    Belay second = Belay.connect(url, options)) {
                Lease held = first.lock("x").acquire();
                CompletableFuture<Lease> waiting = second.lock("x").acquireAsync();
                await().until(() -> first.admin().inspect("x").claims().size() == 2);
                restarted.kill();
                for (int i = 0; i < REQUESTS; i++) {
                    assertThat(catchThrowable(() -> second.lock("y").tryAcquire(Duration.ofMillis(100))))
                            .isInstanceOf(StoreUnavailableException.class);
                }
                assertThat(waiting).isNotDone();
                restarted.restart();
                assertThat(held.release()).isNotNull();
                assertThat(waiting.get(Pace.seconds(), TimeUnit.SECONDS).release())
                        .isEqualTo(ReleaseOutcome.RELEASED);
                assertThat(BelayAdmin.examine(url))
                        .anyMatch(finding -> finding.subject().equals("members")
                                && finding.finding().contains("The member " + bad + " cannot be used")
                                && finding.finding().contains("shows a certificate for another host"))
                        .noneMatch(finding -> finding.subject().equals("rights"));
            }
        }
    }

    @Test
    void allMembersThatAreDistrustedAreMisconfigured() {
        String port = ":" + server.port();
        assertThat(Told.unusable(
                        "etcds://127.0.0.1" + port + ",127.0.0.2" + port + "?ca=" + certificates.strangerFile()))
                .contains(" shows a certificate that no certificate in ");
    }

    @Test
    void showsACertificateWhereOneIsAskedFor() throws Exception {
        String url = strict(certificates.clientCertFile(), certificates.clientKeyFile());
        handOver(url, url);
        assertThat(Told.unusable(url + "&prefix=other/"))
                .isEqualTo("etcd at 127.0.0.1:" + strict.port() + " denies this client a right: let etcdctl role"
                        + " grant-permission ROLE readwrite other/ --prefix=true give it to a role of its user");
    }

    /** Each connection is secured by what the files hold by then, also behind one by which nothing can be read. */
    @Test
    void filesMayBeReplaced() throws Exception {
        try (Certificates present = Certificates.create();
                Certificates next = Certificates.create();
                EtcdServer renewed = EtcdServer.start(
                        present,
                        "--client-cert-auth",
                        "--trusted-ca-file",
                        present.caFile().toString());
                Belay belay = Belay.connect("etcds://127.0.0.1:" + renewed.port() + "?ca=" + present.caFile() + "&cert="
                        + present.clientCertFile() + "&key=" + present.clientKeyFile())) {
            assertThat(belay.lock("x").acquire().release()).isEqualTo(ReleaseOutcome.RELEASED);
            Path written = present.clientKeyFile();
            byte[] key = Files.readAllBytes(written);
            Files.write(written, new byte[0]);
            renewed.kill();
            renewed.restart();
            await().ignoreExceptions().until(() -> belay.lock("x").acquire().release() == ReleaseOutcome.RELEASED);
            Files.write(written, key);
            renewed.kill();
            for (Path file : List.of(
                    present.caFile(),
                    present.certFile(),
                    present.keyFile(),
                    present.clientCertFile(),
                    present.clientKeyFile())) {
                Files.copy(next.caFile().resolveSibling(file.getFileName()), file, StandardCopyOption.REPLACE_EXISTING);
            }
            renewed.restart();
            await().ignoreExceptions().until(() -> belay.lock("x").acquire().release() == ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void saysThatACertificateIsAskedFor() {
        // The alert may be overtaken by the end of the connection, which is then all that is known.
        assertThat(Told.refused("etcds://shop:geheim@127.0.0.1:" + strict.port() + ca()))
                .contains("if it asks for a certificate of this client, name its files by cert= and key=");
        Path key = certificates.strangerFile().resolveSibling("stranger.key");
        assertThat(Told.refused(strict(certificates.strangerFile(), key))).contains("that cert= and key= name");
    }

    @Test
    void tlsAndPlainAreTakenForEachOther() {
        assertThat(Told.refused("etcds://shop:geheim@127.0.0.1:" + plain.port()))
                .startsWith("etcd at 127.0.0.1:" + plain.port())
                .contains("does not speak TLS there", "write etcd://");
        assertThat(Told.unavailable("etcd://127.0.0.1:" + server.port()))
                .startsWith("etcd at 127.0.0.1:" + server.port())
                .endsWith("if it speaks TLS there, write etcds://");
    }

    @Test
    void filesAreLookedAtFirst() throws Exception {
        Path empty = Files.createFile(directory.resolve("empty.pem"));
        assertThat(Told.unusable("etcds://nowhere?ca=/no/such.pem"))
                .isEqualTo("The file /no/such.pem, which 'ca' names, does not exist or cannot be read");
        assertThat(Told.unusable("etcds://nowhere?ca=" + directory)).contains("which 'ca' names, does not exist");
        assertThat(Told.unusable("etcds://nowhere?ca=" + empty)).endsWith("holds no certificate in PEM");
        assertThat(Told.unusable("etcds://nowhere?cert=" + certificates.clientKeyFile() + "&key="
                        + certificates.clientCertFile()))
                .contains("are not a certificate in PEM and its key in PKCS#8 without a password");
    }
}
