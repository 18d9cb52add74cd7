/** Belay's locks in MongoDB. */
module io.belay.mongodb {
    requires transitive io.belay;
    requires io.belay.stores;
    requires transitive org.mongodb.driver.sync.client;
    requires org.mongodb.bson;
    requires org.mongodb.driver.core;
    requires static org.jspecify;

    exports io.belay.mongodb;

    provides io.belay.spi.StoreProvider with
            io.belay.mongodb.MongoStoreProvider;
}
