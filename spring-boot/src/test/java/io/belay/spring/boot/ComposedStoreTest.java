package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.servers.ZooKeeperServer;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

/** Stores that docker compose would run: real servers, described as its services are. */
class ComposedStoreTest {
    /**
     * A service as docker compose tells of it.
     *
     * @param name its name
     * @param image its image
     * @param inside the port inside of the container
     * @param outside the port on this machine
     */
    private record Service(String name, ImageReference image, int inside, int outside) implements RunningService {
        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public ConnectionPorts ports() {
            return new ConnectionPorts() {
                @Override
                public int get(int containerPort) {
                    assertThat(containerPort).isEqualTo(inside);
                    return outside;
                }

                @Override
                public List<Integer> getAll() {
                    return List.of(outside);
                }

                @Override
                public List<Integer> getAll(String protocol) {
                    return getAll();
                }
            };
        }

        @Override
        public Map<String, String> env() {
            return Map.of();
        }

        @Override
        public Map<String, String> labels() {
            return Map.of();
        }
    }

    private static Map<Class<?>, ConnectionDetails> details(
            String image, int inside, int outside, Environment environment) throws Exception {
        Constructor<DockerComposeConnectionSource> sources =
                DockerComposeConnectionSource.class.getDeclaredConstructor(RunningService.class, Environment.class);
        sources.setAccessible(true);
        Service service = new Service("locks", ImageReference.of(image), inside, outside);
        return new ConnectionDetailsFactories(ComposedStoreTest.class.getClassLoader())
                .getConnectionDetails(sources.newInstance(service, environment), false);
    }

    private static void assertLocks(String image, int inside, int outside) throws Exception {
        BelayConnectionDetails store = (BelayConnectionDetails)
                details(image, inside, outside, new MockEnvironment()).get(BelayConnectionDetails.class);
        // A driver that is used for the first time may take its time on a busy machine.
        try (Belay belay = store.connect(BelayOptions.defaults().withConnectMode(ConnectMode.LATER))) {
            assertThat(belay.lock("x", io.belay.LockOptions.defaults().withLease(Duration.ofSeconds(5)))
                            .tryRun(Pace.patience(), () -> {}))
                    .isTrue();
        }
    }

    @Test
    void anEtcdOfDockerComposeIsTaken() throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        try (EtcdServer server = EtcdServer.start()) {
            assertLocks("quay.io/coreos/etcd:v3.5", 2379, server.port());
            assertLocks("gcr.io/etcd-development/etcd:v3.6.4", 2379, server.port());
        }
    }

    @Test
    void aZooKeeperOfDockerComposeIsTaken() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            assertLocks("zookeeper:3.9", 2181, server.port());
        }
    }

    /** Such as an etcd of a gateway's, or the ZooKeeper of a Kafka. */
    @ParameterizedTest
    @CsvSource({"belay.url, memory:x", "belay.store, jdbc"})
    void whereTheApplicationSaysWhereItsLocksAreNoneOfDockerComposeIsTaken(String property, String value)
            throws Exception {
        MockEnvironment environment = new MockEnvironment().withProperty(property, value);
        assertThat(details("quay.io/coreos/etcd:v3.5", 2379, 2379, environment)).isEmpty();
        assertThat(details("zookeeper:3.9", 2181, 2181, environment)).isEmpty();
    }
}
