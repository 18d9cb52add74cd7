package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.BelayOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.core.env.Environment;

/** The stores of locks that docker compose runs, and of which Spring Boot itself knows nothing. */
abstract class ComposedStore extends DockerComposeConnectionDetailsFactory<BelayConnectionDetails> {
    private final String scheme;
    private final int port;

    private ComposedStore(String[] images, String provider, String scheme, int port) {
        super(images, provider);
        this.scheme = scheme;
        this.port = port;
    }

    /** Returns null where the application says where its locks are: the service may be there for another program. */
    @Override
    protected @Nullable BelayConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        Environment environment = source.getEnvironment();
        if (StoreUrl.of(environment).isPresent() || environment.containsProperty("belay.store")) {
            return null;
        }
        RunningService service = source.getRunningService();
        return new Details(
                service, scheme + "://" + service.host() + ":" + service.ports().get(port));
    }

    /** An etcd. */
    static final class Etcd extends ComposedStore {
        Etcd() {
            super(
                    new String[] {"etcd", "etcd-development/etcd", "coreos/etcd", "bitnami/etcd"},
                    "io.belay.etcd.EtcdStoreProvider",
                    "etcd",
                    2379);
        }
    }

    /** A ZooKeeper. */
    static final class ZooKeeper extends ComposedStore {
        ZooKeeper() {
            super(
                    new String[] {"zookeeper", "bitnami/zookeeper"},
                    "io.belay.zookeeper.ZooKeeperStoreProvider",
                    "zookeeper",
                    2181);
        }
    }

    private static final class Details extends DockerComposeConnectionDetails implements BelayConnectionDetails {
        private final String url;

        Details(RunningService service, String url) {
            super(service);
            this.url = url;
        }

        @Override
        public Belay connect(BelayOptions options) {
            return Belay.connect(url, options);
        }
    }
}
