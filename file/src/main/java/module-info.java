/** Belay's store in a directory. */
module io.belay.file {
    requires io.belay;
    requires static org.jspecify;

    provides io.belay.spi.StoreProvider with
            io.belay.file.FileStoreProvider;
}
