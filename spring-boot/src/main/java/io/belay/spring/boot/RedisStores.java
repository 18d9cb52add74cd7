package io.belay.spring.boot;

import io.belay.redis.Redis;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.SslOptions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.util.StringUtils;

/** The application's Redis as a store of locks, over connections of Belay's own. */
final class RedisStores {
    private RedisStores() {}

    /**
     * Returns the store that the details lead to.
     *
     * @param property the URL in the application's properties: Spring Boot heeds its {@code rediss:}, which the details do not tell
     */
    static Redis of(DataRedisConnectionDetails details, Optional<String> property) {
        SslBundle ssl = details.getSslBundle();
        boolean secure =
                ssl != null || property.filter(url -> url.startsWith("rediss:")).isPresent();
        Redis redis = Redis.at(url(details, secure ? "rediss" : "redis"));
        String password = details.getPassword();
        if (StringUtils.hasText(password)) { // as Spring takes an empty one for none
            String user = StringUtils.hasText(details.getUsername()) ? details.getUsername() : null;
            redis = redis.withCredentials(RedisCredentialsProvider.from(() -> RedisCredentials.just(user, password)));
        }
        return ssl == null ? redis : redis.withSsl(options(ssl));
    }

    private static SslOptions options(SslBundle bundle) {
        SslManagerBundle managers = bundle.getManagers();
        SslOptions.Builder options = SslOptions.builder()
                .jdkSslProvider()
                .keyManager(managers.getKeyManagerFactory())
                .trustManager(managers.getTrustManagerFactory());
        String[] ciphers = bundle.getOptions().getCiphers();
        if (ciphers != null) {
            options.cipherSuites(ciphers);
        }
        String[] protocols = bundle.getOptions().getEnabledProtocols();
        if (protocols != null) {
            options.protocols(protocols);
        }
        return options.build();
    }

    private static String url(DataRedisConnectionDetails details, String scheme) {
        Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            refuseSentinelLogin(sentinel);
            return scheme + "-sentinel://" + hosts(sentinel.getNodes()) + "/" + sentinel.getDatabase() + "?master="
                    + sentinel.getMaster();
        } else if (details.getCluster() != null) {
            return scheme + "-cluster://" + hosts(details.getCluster().getNodes());
        }
        refuseReplicas(details);
        Standalone one = details.getStandalone();
        if (one == null) {
            throw new SetupException(
                    "The application's Redis (spring.data.redis) is of a kind that Belay cannot derive a URL from.",
                    "Set belay.url to the master of the locks.");
        }
        return scheme + "://" + host(one.getHost(), one.getPort()) + "/" + one.getDatabase();
    }

    private static void refuseSentinelLogin(Sentinel sentinel) {
        if (StringUtils.hasText(sentinel.getPassword())) {
            throw new SetupException(
                    "The sentinels of the application's Redis ask for a password of their own.",
                    "Set belay.url, where it can be given (see docs/redis.md).");
        }
    }

    /** Beside them the details name a single server, too: that of spring.data.redis.host, which nobody has set. */
    private static void refuseReplicas(DataRedisConnectionDetails details) {
        if (details.getMasterReplica() != null) {
            throw new SetupException(
                    "The application's Redis is given by spring.data.redis.masterreplica.nodes, which does not say which"
                            + " of them is the master that locks need.",
                    "Set belay.url to the master, or to sentinels that know it (see docs/redis.md).");
        }
    }

    private static String hosts(List<Node> nodes) {
        return nodes.stream().map(node -> host(node.host(), node.port())).collect(Collectors.joining(","));
    }

    /** Puts brackets around an IPv6 address, unless the details have them already, as those of a URL. */
    private static String host(String name, int port) {
        return (name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name) + ":" + port;
    }
}
