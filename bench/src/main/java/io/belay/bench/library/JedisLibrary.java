package io.belay.bench.library;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** A lock by hand over Jedis. */
final class JedisLibrary implements Library {
    private static final int CONNECTIONS = 64;

    @Override
    public String name() {
        return "jedis";
    }

    @Override
    public String store() {
        return "redis";
    }

    @Override
    public String settings() {
        return "By hand, as with Lettuce; its pooled `RedisClient` with up to " + CONNECTIONS
                + " connections, so that no thread waits for one; plain blocking sockets are its only transport.";
    }

    @Override
    public Locks open(Site site) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        RedisClient client = RedisClient.builder()
                .hostAndPort(site.server().getHost(), site.server().getPort())
                .poolConfig(pool)
                .build();
        String script = client.scriptLoad(RawScripts.COMPARE_AND_DELETE);
        return new Locks() {
            @Override
            public Mutex mutex(String name) {
                return new JedisMutex(client, script, name);
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    private static final class JedisMutex extends RawMutex {
        private final RedisClient client;
        private final String script;
        private final String name;
        private final SetParams ifFree = SetParams.setParams().nx().px(RawScripts.LEASE_MILLIS);

        JedisMutex(RedisClient client, String script, String name) {
            this.client = client;
            this.script = script;
            this.name = name;
        }

        @Override
        boolean set(String value) {
            return client.set(name, value, ifFree) != null;
        }

        @Override
        void delete(String value) {
            client.evalsha(script, 1, name, value);
        }

        @Override
        @Nullable
        String get() {
            return client.get(name);
        }
    }
}
