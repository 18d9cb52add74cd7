/** Belay: distributed locks. */
module io.belay {
    requires org.slf4j;
    requires static org.jspecify;

    exports io.belay;
    exports io.belay.spi;

    provides io.belay.spi.StoreProvider with
            io.belay.file.FileStoreProvider;
}
