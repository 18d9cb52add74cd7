package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.Certificates;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.lettuce.core.SslOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class TlsTest {
    private static Certificates certificates;
    /** Asks for no certificate; the other does. Both can be reached by a name and an address not in theirs. */
    private static RedisServer server;

    private static RedisServer strict;
    private static RedisServer plain;

    @TempDir
    private Path directory;

    TlsTest(Version version) {}

    @BeforeAll
    static void make() throws Exception {
        certificates = Certificates.create();
        Told.warmUp();
    }

    @AfterAll
    static void delete() {
        certificates.close();
    }

    @BeforeParameterizedClassInvocation
    static void start(Version version) throws Exception {
        server = RedisServer.builder(version)
                .tls(certificates)
                .options("--bind", "127.0.0.1", "127.0.0.2")
                .start();
        strict = RedisServer.builder(version)
                .tls(certificates)
                .options("--tls-auth-clients", "yes")
                .start();
        plain = RedisServer.start(version);
    }

    @AfterParameterizedClassInvocation
    static void end() {
        server.close();
        strict.close();
        plain.close();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        Told.assertNoThreads();
        Told.assertNoConnections(server);
        Told.assertUntouched(strict);
        Told.assertUntouched(plain);
    }

    private static String elsewhere(String parameters) {
        return "rediss://127.0.0.2:" + server.port() + "?ca=" + certificates.caFile() + parameters;
    }

    @Test
    void trustsWhomItIsTold() throws Exception {
        try (Belay first = Belay.connect(server.url() + "?ca=" + certificates.caFile());
                Belay second = Belay.connect(
                        Redis.at("rediss://localhost:" + server.port() + "?protocol=resp2")
                                .withCaFile(certificates.caFile()),
                        BelayOptions.defaults());
                Belay third = Belay.connect(elsewhere("&verify=ca"));
                Belay trustful = Belay.connect(server.url() + "?verify=none")) {
            HandOver.between(first, second);
            HandOver.between(second, third);
            HandOver.between(third, trustful);
        }
        server.command("FLUSHALL");
    }

    @Test
    void distrustsOthers() throws Exception {
        String here = "Redis at 127.0.0.1:" + server.port();
        assertThat(Told.unusable(server.url() + "?ca=" + certificates.strangerFile()))
                .startsWith(here + " shows a certificate that no certificate in " + certificates.strangerFile())
                .endsWith("name the file of its CA by ca=");
        assertThat(Told.unusable(server.url()))
                .isEqualTo(here + " shows a certificate that the JVM does not trust: name the file of its CA by ca=");
        assertThat(Told.unusable(server.url() + "?verify=ca")).endsWith("name the file of its CA by ca=");
        assertThat(Told.unusable(elsewhere("")))
                .startsWith("Redis at 127.0.0.2:" + server.port()
                        + " shows a certificate for another host: connect by a" + " name in it, or write verify=ca (");
        assertThat(server.command("DBSIZE")).isEqualTo("0");
    }

    @Test
    void anExpiredCertificateIsCalledSo() throws Exception {
        try (Certificates old = Certificates.expired();
                RedisServer expired = RedisServer.builder(Version.V7_0).tls(old).start()) {
            assertThat(Told.unusable(expired.url() + "?ca=" + old.caFile()))
                    .startsWith("Redis at 127.0.0.1:" + expired.port() + " shows a certificate that has expired");
        }
    }

    @Test
    void showsACertificateWhereOneIsAskedFor() throws Exception {
        String url = strict.url() + "?ca=" + certificates.caFile();
        String own = "&cert=" + certificates.clientCertFile() + "&key=" + certificates.clientKeyFile();
        try (Belay first = Belay.connect(url + own);
                Belay second = Belay.connect(
                        Redis.at(url).withCertificate(certificates.clientCertFile(), certificates.clientKeyFile()),
                        BelayOptions.defaults())) {
            HandOver.between(first, second);
        }
        strict.command("FLUSHALL");
    }

    /** What PEM files do not say is for the application to say. */
    @Test
    void filesAreBesideWhatTheApplicationHasSetUp() throws Exception {
        SslOptions shows = SslOptions.builder()
                .keyManager(
                        certificates.clientCertFile().toFile(),
                        certificates.clientKeyFile().toFile(),
                        new char[0])
                .build();
        Redis redis = Redis.at(strict.url() + "?ca=" + certificates.caFile());
        Belay.connect(redis.withSsl(shows), BelayOptions.defaults()).close();
        SslOptions newer = SslOptions.builder().protocols("TLSv1.3").build();
        try (RedisServer older = RedisServer.builder(Version.V7_0)
                .tls(certificates)
                .options("--tls-protocols", "TLSv1.2")
                .start()) {
            Redis strictly = Redis.at(older.url() + "?ca=" + certificates.caFile());
            Belay.connect(strictly, BelayOptions.defaults()).close();
            assertThatThrownBy(() -> Belay.connect(strictly.withSsl(newer), BelayOptions.defaults()))
                    .isInstanceOf(BelayException.class);
        }
    }

    /** Else it would be told that they are wrong, and a password be sent in clear. */
    @Test
    void whatIsForTlsIsRefusedWhereTheUrlHasNone() {
        for (String url : List.of(
                plain.url(), "redis-cluster://127.0.0.1", "redis-sentinel://127.0.0.1?master=m", "unix:/tmp/socket")) {
            Redis redis = Redis.at(url);
            List<ThrowingCallable> all = List.of(
                    () -> redis.withSsl(SslOptions.create()),
                    () -> redis.withCaFile(certificates.caFile()),
                    () -> redis.withCertificate(certificates.clientCertFile(), certificates.clientKeyFile()));
            assertThat(all)
                    .allSatisfy(one -> assertThatThrownBy(one)
                            .isInstanceOf(StoreMisconfiguredException.class)
                            .hasMessageContaining("rediss"));
        }
    }

    @Test
    void saysThatACertificateIsAskedFor() {
        // The alert may be overtaken by the end of the connection, which is then all that is known.
        String url = strict.url() + "?ca=" + certificates.caFile();
        assertThat(Told.refused(url)).contains("name its files by cert= and key=");
        Path key = certificates.strangerFile().resolveSibling("stranger.key");
        assertThat(Told.refused(url + "&cert=" + certificates.strangerFile() + "&key=" + key))
                .contains("cert= and key=");
    }

    @Test
    void filesAreLookedAtFirst() throws Exception {
        String ca = certificates.caFile().toString();
        Path empty = Files.createFile(directory.resolve("empty.pem"));
        assertThat(Told.unusable(server.url() + "?ca=/no/such.pem"))
                .isEqualTo("The file /no/such.pem, which 'ca' names, does not exist or cannot be read");
        assertThat(Told.unusable(server.url() + "?ca=" + directory)).contains("which 'ca' names, does not exist");
        assertThat(Told.unusable(server.url() + "?ca=" + empty)).endsWith("holds no certificate in PEM");
        assertThat(Told.unusable(server.url() + "?ca=" + certificates.keyFile()))
                .endsWith("holds no certificate in PEM");
        assertThat(Told.unusable(server.url() + "?ca=" + ca + "&cert=" + certificates.clientKeyFile() + "&key="
                        + certificates.clientCertFile()))
                .endsWith("are not a certificate in PEM and its key in PKCS#8 without a password");
        assertThat(server.command("DBSIZE")).isEqualTo("0");
    }

    /** As while it is renewed. What a client tells of names it, and the server is not asked. */
    @Test
    void aFileThatIsGoneWhenAConnectionIsMadeAgainIsNamed() throws Exception {
        Path cert = Files.copy(certificates.clientCertFile(), directory.resolve("client.pem"));
        String url = strict.url() + "?ca=" + certificates.caFile() + "&cert=" + cert + "&key="
                + certificates.clientKeyFile();
        try (Belay belay = Belay.connect(url)) {
            Files.delete(cert);
            strict.command("CLIENT", "KILL", "TYPE", "normal");
            strict.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().untilAsserted(() -> assertThat(
                            Told.unavailable(() -> belay.lock("x").tryAcquire()))
                    .contains("cannot be connected to: The file " + cert + ", which 'cert' names, does not exist"));
            Files.copy(certificates.clientCertFile(), cert);
            belay.lock("x").acquire().release();
        }
        strict.command("FLUSHALL");
    }

    /** As while both sides are renewed, and the server a moment before the client's file. */
    @Test
    void aCertificateThatIsNotTrustedAnyMoreIsWaitedFor() throws Exception {
        Path ca = Files.copy(certificates.caFile(), directory.resolve("ca.pem"));
        try (Belay first = Belay.connect(server.url() + "?ca=" + certificates.caFile());
                Belay second = Belay.connect(server.url() + "?ca=" + ca)) {
            Lease held = first.lock("x").acquire();
            CompletableFuture<Lease> next = second.lock("x").acquireAsync();
            await().until(() -> first.admin().inspect("x").claims().size() == 2);
            Files.copy(certificates.strangerFile(), ca, StandardCopyOption.REPLACE_EXISTING);
            server.command("CLIENT", "KILL", "TYPE", "normal");
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().untilAsserted(() -> assertThat(
                            Told.unavailable(() -> second.lock("y").tryAcquire()))
                    .contains("shows a certificate that no certificate in " + ca + " has signed"));
            assertThat(next).isNotDone();
            Files.copy(certificates.caFile(), ca, StandardCopyOption.REPLACE_EXISTING);
            held.release();
            next.get(Pace.seconds(), TimeUnit.SECONDS).release();
        }
        server.command("FLUSHALL");
    }

    @Test
    void nobodyIsToldToDoWithoutTlsWhereTheServerHasAnswered() throws Exception {
        try (RedisServer stopped =
                        RedisServer.builder(Version.V7_0).tls(certificates).start();
                Belay belay = Belay.connect(stopped.url() + "?timeout=300ms&ca=" + certificates.caFile())) {
            stopped.stop();
            await().untilAsserted(() -> assertThat(
                            Told.unavailable(() -> belay.lock("x").tryAcquire()))
                    .contains("did not answer within 300 ms: is it stopped or overloaded?")
                    .doesNotContain("TLS"));
            stopped.resume();
        }
    }

    @Test
    void tlsAndPlainAreTakenForEachOther() throws Exception {
        Told.givenUp(
                "rediss://127.0.0.1:" + plain.port() + "?timeout=",
                (message, limit) -> assertThat(message).contains("did not answer within " + limit, "write redis://"));
        assertThat(Told.unavailable("redis://127.0.0.1:" + server.port())).endsWith("write rediss://");
        assertThat(Told.unavailable("redis://127.0.0.1:" + server.port() + "?protocol=resp2"))
                .endsWith("write rediss://");
    }
}
