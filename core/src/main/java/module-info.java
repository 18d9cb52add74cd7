/** Belay: distributed locks that tell when they are lost. */
module io.belay {
    requires org.slf4j;
    requires static jdk.jfr;
    requires static org.jspecify;

    exports io.belay;
    exports io.belay.fence;
    exports io.belay.recipes;
    exports io.belay.spi;

    uses io.belay.spi.StoreProvider;

    provides io.belay.spi.StoreProvider with
            io.belay.memory.MemoryStoreProvider;
}
