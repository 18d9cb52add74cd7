/** Belay: distributed locks that tell when they are lost. */
@SuppressWarnings("module") // those that are named below are built later
module io.belay {
    requires org.slf4j;
    requires static jdk.jfr;
    requires static org.jspecify;

    exports io.belay;
    exports io.belay.fence;
    exports io.belay.recipes;
    exports io.belay.spi;

    // For Belay's own modules: it may change at any time.
    exports io.belay.support to
            io.belay.camel,
            io.belay.dashboard,
            io.belay.etcd,
            io.belay.file,
            io.belay.jdbc,
            io.belay.micrometer,
            io.belay.mongodb,
            io.belay.quorum,
            io.belay.redis,
            io.belay.spring,
            io.belay.spring.boot,
            io.belay.spring.integration,
            io.belay.stores,
            io.belay.zookeeper;

    uses io.belay.spi.StoreProvider;

    provides io.belay.spi.StoreProvider with
            io.belay.memory.MemoryStoreProvider;
}
