package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.Certificates;
import io.belay.servers.MongoServer;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The application's own stores, where it reaches them by TLS. */
class SecureStoresTest {
    /** The first byte of a handshake of TLS. */
    private static final int HANDSHAKE = 0x16;

    // Cipher suites of TLS 1.3, which earlier versions do not have.
    private static final int TLS_AES_128_GCM_SHA256 = 0x1301;
    private static final int TLS_AES_256_GCM_SHA384 = 0x1302;

    private final ApplicationContextRunner bare =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(BelayAutoConfiguration.class));

    @Tag("long")
    @Test
    void sslBundlesOfTheApplicationsStoresAreTaken() throws Exception {
        try (Certificates certificates = Certificates.create();
                RedisServer redis = RedisServer.builder(RedisServer.Version.V7_0)
                        .tls(certificates)
                        .start();
                MongoServer mongo = MongoServer.start(certificates)) {
            String[] bundle = {
                "spring.ssl.bundle.pem.own.truststore.certificate=file:" + certificates.caFile(),
                "spring.ssl.bundle.pem.own.keystore.certificate=file:" + certificates.clientCertFile(),
                "spring.ssl.bundle.pem.own.keystore.private-key=file:" + certificates.clientKeyFile(),
                "belay.connect=required"
            };
            bare.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class))
                    .withPropertyValues(bundle)
                    .withPropertyValues(
                            "spring.data.redis.host=127.0.0.1",
                            "spring.data.redis.port=" + redis.port(),
                            "spring.data.redis.ssl.bundle=own")
                    .run(SecureStoresTest::assertLocks);
            bare.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, MongoAutoConfiguration.class))
                    .withPropertyValues(bundle)
                    .withPropertyValues("spring.mongodb.uri=" + mongo.url(), "spring.mongodb.ssl.bundle=own")
                    .run(SecureStoresTest::assertLocks);
        }
    }

    private static void assertLocks(AssertableApplicationContext context) throws InterruptedException {
        assertThat(context.getBean(Belay.class).lock("x").tryRun(Pace.patience(), () -> {}))
                .isTrue();
    }

    /** As Spring Boot's own clients do: there is no bundle, and a password that nobody else is to read. */
    @Test
    void urlsThatSayTlsAreHeeded() throws Exception {
        assertHandshake(DataRedisAutoConfiguration.class, "spring.data.redis.url=rediss://:s3cret@127.0.0.1:%d");
        assertHandshake(MongoAutoConfiguration.class, "spring.mongodb.uri=mongodb://u:s3cret@127.0.0.1:%d/?tls=true");
    }

    /** As Spring Boot's own client for Redis does; that for MongoDB refuses them. */
    @Test
    void ciphersAndProtocolsOfABundleAreHeeded() throws Exception {
        assertThat(offered("ciphers=TLS_AES_128_GCM_SHA256"))
                .contains(TLS_AES_128_GCM_SHA256)
                .doesNotContain(TLS_AES_256_GCM_SHA384);
        assertThat(offered("enabled-protocols=TLSv1.2"))
                .isNotEmpty()
                .doesNotContain(TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384);
    }

    /** Returns the cipher suites that a server of the application's is offered. */
    private List<Integer> offered(String option) throws IOException {
        List<Integer> suites = new ArrayList<>();
        try (ServerSocket server = listening()) {
            bare.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.ssl.bundle.pem.own.options." + option,
                            "spring.data.redis.host=127.0.0.1",
                            "spring.data.redis.port=" + server.getLocalPort(),
                            "spring.data.redis.ssl.bundle=own")
                    .run(context -> {
                        try (Socket client = server.accept();
                                DataInputStream hello = new DataInputStream(client.getInputStream())) {
                            hello.skipNBytes(5 + 4 + 2 + 32); // two headers, a version and a random number
                            hello.skipNBytes(hello.readUnsignedByte()); // the session's name
                            for (int left = hello.readUnsignedShort(); left > 0; left -= 2) {
                                suites.add(hello.readUnsignedShort());
                            }
                        }
                    });
        }
        return suites;
    }

    private static ServerSocket listening() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server.setSoTimeout(Math.toIntExact(Pace.patience().toMillis()));
        return server;
    }

    private void assertHandshake(Class<?> ofStore, String url) throws IOException {
        try (ServerSocket server = listening()) {
            bare.withConfiguration(AutoConfigurations.of(ofStore))
                    .withPropertyValues(url.formatted(server.getLocalPort()))
                    .run(context -> {
                        try (Socket client = server.accept()) {
                            assertThat(client.getInputStream().read()).isEqualTo(HANDSHAKE);
                        }
                    });
        }
    }
}
