package io.belay.redis;

import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Opens {@code redis://}, {@code redis-cluster://} and {@code redis-sentinel://} URLs, the same by TLS, and
 * {@code unix:} URLs; {@link Redis} says how they are written.
 */
public final class RedisStoreProvider implements StoreProvider {
    /** Makes a provider, for {@link java.util.ServiceLoader}. */
    public RedisStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return RedisUrl.SCHEMES;
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(listener, "listener");
        return Redis.parse(url).open(client, listener);
    }

    /** Looks at the URL alone: nothing has to be made. */
    @Override
    public Optional<String> schema(String url) {
        Objects.requireNonNull(url, "url");
        var unused = Settings.parse(url);
        return Optional.empty();
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        Redis redis = Redis.parse(url);
        return redis.settings().cluster()
                ? ClusterInquiry.of(redis)
                : Inquiry.of(redis).findings();
    }
}
