/** Belay's store in a directory. */
module io.belay.file {
    requires transitive io.belay;
    requires static org.jspecify;

    exports io.belay.file.fence;

    provides io.belay.spi.StoreProvider with
            io.belay.file.FileStoreProvider;
}
