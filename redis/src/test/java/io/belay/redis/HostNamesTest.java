package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.lettuce.core.resource.ClientResources;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hosts that have several addresses, or other ones than before. */
class HostNamesTest {
    private RedisServer server;
    private FakeDns dns;
    private ClientResources resources;

    @BeforeEach
    void start() throws Exception {
        server = RedisServer.start(Version.V7_0);
        dns = new FakeDns();
        resources = ClientResources.builder()
                .addressResolverGroup(new Resolvers(dns.provider()))
                .build();
    }

    @AfterEach
    void end() throws Exception {
        Resolvers.close(resources);
        resources.shutdown(0, Pace.seconds(), TimeUnit.SECONDS).awaitUninterruptibly();
        dns.close();
        server.close();
    }

    private Belay connect(String more, String... addresses) {
        dns.addresses = List.of(addresses);
        Redis redis =
                Redis.at("redis://store.test:" + server.port() + "?" + more).withResources(resources);
        return Belay.connect(redis, BelayOptions.defaults());
    }

    private static void use(Belay belay) throws InterruptedException {
        belay.lock("x").tryAcquire(Pace.patience()).orElseThrow().close();
    }

    @Test
    void anAddressWhereNobodyAnswersIsNotTheLast() throws Exception {
        try (Belay belay = connect("timeout=5s", "127.0.1.1", "127.0.1.2", "127.0.0.1")) {
            use(belay);
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            use(belay);
        }
        try (Belay belay = connect("protocol=resp2", "127.0.1.3", "127.0.1.4", "127.0.0.1")) {
            use(belay);
        }
    }

    @Test
    void whereNoAddressAnswersThatIsTold() {
        assertThatThrownBy(() -> connect("timeout=5s", "127.0.1.5", "127.0.1.6"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("cannot be reached: Connection refused");
    }

    @Test
    void anAddressThatIsSilentIsPassedOverNextTime() throws Exception {
        try (ServerSocket silent = new ServerSocket(server.port(), 1, InetAddress.getByName("127.0.1.7"))) {
            assertThatThrownBy(() -> connect("timeout=300ms", "127.0.1.7", "127.0.0.1"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("did not answer");
            try (Belay belay = connect("timeout=300ms", "127.0.1.7", "127.0.0.1")) {
                use(belay);
            }
            assertThat(silent.isBound()).isTrue();
        }
    }

    @Test
    void aServerThatHasMovedIsFoundAgain() throws Exception {
        try (Belay belay = connect("timeout=5s", "127.0.0.1");
                ServerSocket moved = new ServerSocket(server.port(), 1, InetAddress.getByName("127.0.1.8"))) {
            use(belay);
            dns.addresses = List.of("127.0.1.8");
            server.kill();
            moved.setSoTimeout((int) Duration.ofSeconds(Pace.seconds()).toMillis());
            moved.accept().close();
        }
    }
}
