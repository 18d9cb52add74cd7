package io.belay.trials.library;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/** The locks of textbooks on Redis. */
abstract class RedisTextbookLock extends PolledLock {
    final long leaseMillis;
    final RedisCommands<String, String> redis;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    RedisTextbookLock(String url, Duration lease) {
        leaseMillis = lease.toMillis();
        client = RedisClient.create(RedisURI.builder(RedisURI.create(url))
                .withTimeout(Duration.ofSeconds(2))
                .build());
        connection = client.connect();
        redis = connection.sync();
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
