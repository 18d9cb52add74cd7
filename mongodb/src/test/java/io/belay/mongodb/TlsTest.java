package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketWriteException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import com.mongodb.connection.ServerConnectionState;
import com.mongodb.connection.ServerDescription;
import io.belay.Belay;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.Certificates;
import io.belay.servers.MongoServer;
import io.belay.servers.Premise;
import io.belay.spi.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.SocketException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A certificate that is not right is no outage: nobody waits for it to pass. */
class TlsTest {
    @Test
    void aServerWhoseCertificateIsNotTrusted() throws Exception {
        try (Certificates certificates = Certificates.create();
                MongoServer server = MongoServer.start(certificates)) {
            Premise.withLease(Duration.ofMillis(500), timeout -> isNotTrusted(server, timeout));
        }
    }

    private static void isNotTrusted(MongoServer server, Duration timeout) {
        String place = "127.0.0.1:" + server.port();
        String url = "mongodb://" + place + "/?tls=true&belay-timeout=" + timeout.toMillis() + "ms";
        Throwable refused = catchThrowable(() -> Belay.connect(url));
        Premise.check(String.valueOf(refused).contains("certification path"), "the driver has tried it by then");
        assertThat(refused)
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("MongoDB at " + place + " cannot be connected to by TLS: ")
                .hasMessageNotContaining("\n");
    }

    private static boolean isTemporary(IOException cause) {
        return isTemporary(cause, null);
    }

    private static boolean isTemporary(IOException cause, @Nullable MongoClient client) {
        return told(cause, client, false).isTemporary();
    }

    private static StoreException told(IOException cause, @Nullable MongoClient client, boolean connected) {
        StoreException told = new Failures("MongoDB at a", "shop", Settings.DEFAULT, client, connected)
                .of(new MongoSocketWriteException("Exception sending message", new ServerAddress("a"), cause));
        if (!connected) {
            assertThat(told)
                    .hasMessageContaining(
                            told.isTemporary()
                                    ? "has no primary that can be reached"
                                    : "cannot be connected to by TLS: ");
        }
        return told;
    }

    private static IOException handshake(String message, Throwable cause) {
        IOException failed = new SSLHandshakeException(message);
        failed.initCause(cause);
        return failed;
    }

    @Test
    void whatASideDoesNotLikeOfTheOtherStays() {
        assertThat(isTemporary(new SSLHandshakeException("Received fatal alert: unknown_ca")))
                .isFalse();
        assertThat(isTemporary(new SSLPeerUnverifiedException("not h"))).isFalse();
        assertThat(isTemporary(handshake("PKIX path building failed", new CertificateException("no valid path"))))
                .isFalse();
    }

    @Test
    void aCertificateThatHasExpiredIsToldWithItsCure() {
        CertificateException expired = new CertificateExpiredException("NotAfter: Sun Oct 11 17:33:23 UTC 2026");
        StoreException told = new Failures("MongoDB at a", "shop", Settings.DEFAULT, null, false)
                .of(new MongoSocketWriteException(
                        "Exception sending message",
                        new ServerAddress("a"),
                        handshake("PKIX path validation failed", expired)));
        assertThat(told.isTemporary()).isFalse();
        assertThat(told)
                .hasMessage(
                        "MongoDB at a shows a certificate that has expired, or is not valid yet: renew it, or set this"
                                + " machine's clock right (NotAfter: Sun Oct 11 17:33:23 UTC 2026)");
    }

    /** As one side's certificate is renewed before the other side knows of it. */
    @Test
    void whatASideDoesNotLikeIsWaitedForOnceTheClientWasConnected() {
        StoreException told = told(new SSLHandshakeException("Received fatal alert: unknown_ca"), null, true);
        assertThat(told.isTemporary()).isTrue();
        assertThat(told).hasMessage("MongoDB at a cannot be connected to by TLS: Received fatal alert: unknown_ca");
    }

    /** Returns a driver's client whose monitors of the servers a and b have met these; null for nothing. */
    private static MongoClient client(@Nullable IOException a, @Nullable IOException b) {
        ClusterDescription cluster = new ClusterDescription(
                ClusterConnectionMode.MULTIPLE, ClusterType.REPLICA_SET, List.of(server("a", a), server("b", b)));
        return (MongoClient) Proxy.newProxyInstance(
                TlsTest.class.getClassLoader(),
                new Class<?>[] {MongoClient.class},
                (self, method, arguments) -> cluster);
    }

    private static ServerDescription server(String name, @Nullable IOException met) {
        ServerAddress address = new ServerAddress(name);
        return ServerDescription.builder()
                .address(address)
                .state(met == null ? ServerConnectionState.CONNECTED : ServerConnectionState.CONNECTING)
                .ok(met == null)
                .exception(met == null ? null : new MongoSocketOpenException("Exception opening socket", address, met))
                .build();
    }

    /** Its certificate was changed for a wrong one while its monitor has a connection: another one may become the primary. */
    @Test
    void oneServerThatIsNotTrustedIsNothingToGiveUpFor() {
        IOException untrusted = new SSLPeerUnverifiedException("not a");
        assertThat(isTemporary(untrusted, client(null, null))).isTrue();
        assertThat(isTemporary(untrusted, client(untrusted, null))).isTrue();
        assertThat(isTemporary(untrusted, client(untrusted, new ConnectException("Connection refused"))))
                .isTrue();
        assertThat(isTemporary(untrusted, client(null, untrusted))).isFalse();
        assertThat(isTemporary(untrusted, client(untrusted, untrusted))).isFalse();
    }

    @Test
    void whereAHandshakeBreaksOffThatMayPass() {
        assertThat(isTemporary(handshake("Remote host terminated the handshake", new EOFException())))
                .isTrue();
        assertThat(isTemporary(new SSLException("Connection reset", new SocketException("Connection reset"))))
                .isTrue();
        assertThat(isTemporary(new IOException("Broken pipe"))).isTrue();
    }
}
