/** Belay's store on Redis. */
module io.belay.redis {
    requires transitive io.belay;
    requires io.belay.stores;
    requires transitive lettuce.core;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver;
    requires io.netty.resolver.dns;
    requires io.netty.transport;
    requires reactor.core;
    requires static org.jspecify;

    exports io.belay.redis;

    provides io.belay.spi.StoreProvider with
            io.belay.redis.RedisStoreProvider;
}
