package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.RedisServer.Version;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("selftest")
@Tag("long")
class CertificatesTest {
    private static Certificates certificates;

    @BeforeAll
    static void create() throws Exception {
        certificates = Certificates.create();
    }

    @AfterAll
    static void close() {
        certificates.close();
        assertThat(certificates.caFile().getParent()).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void whoTrustsTheAuthorityTalksTlsAndNobodyElse(Version version) throws Exception {
        try (RedisServer server = RedisServer.builder(version).tls(certificates).start()) {
            assertThat(server.url()).isEqualTo("rediss://127.0.0.1:" + server.port());
            for (String host : new String[] {"127.0.0.1", "localhost"}) {
                try (Client client = client(host, server.port(), certificates.caFile(), false)) {
                    assertThat(client.call("PING")).containsExactly("PONG");
                }
            }
            assertThatThrownBy(() -> client("127.0.0.1", server.port(), certificates.strangerFile(), false))
                    .isInstanceOf(SSLHandshakeException.class);
            try (Client plain = Client.to(server.port())) {
                assertThatThrownBy(() -> plain.call("PING")).isInstanceOf(IOException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsMayBeAskedForTheirCertificate(Version version) throws Exception {
        try (RedisServer server = RedisServer.builder(version)
                .tls(certificates)
                .options("--tls-auth-clients", "yes")
                .start()) {
            try (Client client = client("127.0.0.1", server.port(), certificates.caFile(), true)) {
                assertThat(client.call("PING")).containsExactly("PONG");
            }
            // With TLS 1.3 the handshake is over before the server has seen that there is none.
            assertThatThrownBy(() -> {
                        try (Client client = client("127.0.0.1", server.port(), certificates.caFile(), false)) {
                            client.call("PING");
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tlsGoesThroughTheProxy(Version version) throws Exception {
        try (RedisServer server = RedisServer.builder(version).tls(certificates).start();
                TcpProxy proxy = TcpProxy.to(server);
                Client client = client("127.0.0.1", proxy.port(), certificates.caFile(), false)) {
            assertThat(proxy.url()).isEqualTo("rediss://127.0.0.1:" + proxy.port());
            assertThat(client.call("INCR", "k")).containsExactly("1");
            proxy.loseNextReply();
            assertThatThrownBy(() -> client.call("INCR", "k")).isInstanceOf(IOException.class);
            assertThat(server.command("GET", "k")).isEqualTo("2");
        }
    }

    /** A client that trusts one authority, and shows a certificate or none. */
    private static Client client(String host, int port, Path authority, boolean shows) throws Exception {
        KeyStore trusted = store();
        trusted.setCertificateEntry("ca", certificate(authority));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);

        KeyStore own = store();
        if (shows) {
            Certificate[] chain = {certificate(certificates.clientCertFile())};
            own.setKeyEntry("client", key(certificates.clientKeyFile()), new char[0], chain);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, new char[0]);

        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(host, port);
        try {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return new Client(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static KeyStore store() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Certificate certificate(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static PrivateKey key(Path file) throws Exception {
        String body = Files.readString(file).replaceAll("-----[A-Z ]+-----", "");
        PKCS8EncodedKeySpec spec =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(body));
        return KeyFactory.getInstance("EC").generatePrivate(spec);
    }
}
