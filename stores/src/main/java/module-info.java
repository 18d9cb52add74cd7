/** Belay's templates of stores: all but the service, on ordered nodes or on documents. */
@SuppressWarnings("module") // those that are named below are built later
module io.belay.stores {
    requires transitive io.belay;
    requires static org.jspecify;

    exports io.belay.document;
    exports io.belay.node;

    // For Belay's own stores: it may change at any time.
    exports io.belay.server to
            io.belay.etcd,
            io.belay.jdbc,
            io.belay.mongodb,
            io.belay.redis,
            io.belay.zookeeper;
}
