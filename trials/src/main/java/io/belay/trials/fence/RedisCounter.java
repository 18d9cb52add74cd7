package io.belay.trials.fence;

import io.belay.fence.FencingToken;
import io.belay.redis.RedisFence;
import io.belay.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;

/** A counter in a key. */
record RedisCounter(RedisServer server, RedisClient client, RedisCommands<String, String> redis) implements Counter {
    private static final String KEY = "{counter}:value";

    static Counter start() throws Exception {
        RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
        RedisClient client = RedisClient.create(server.url());
        RedisCommands<String, String> redis = client.connect().sync();
        redis.set(KEY, "0");
        return new RedisCounter(server, client, redis);
    }

    @Override
    public long value() {
        return Long.parseLong(redis.get(KEY));
    }

    @Override
    public Addition guarded(FencingToken token) {
        RedisFence.Writer writer = RedisFence.of(redis, "counter").raiseTo(List.of(token));
        long read = value();
        return () -> writer.set(KEY, Long.toString(read + 1));
    }

    @Override
    public Addition unguarded() {
        long read = value();
        return () -> redis.set(KEY, Long.toString(read + 1));
    }

    @Override
    public void close() {
        client.shutdown();
        server.close();
    }
}
