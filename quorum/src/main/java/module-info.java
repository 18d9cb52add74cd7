/** Belay's store on a majority of independent servers. */
module io.belay.quorum {
    requires io.belay;
    requires static org.jspecify;

    uses io.belay.spi.StoreProvider;

    provides io.belay.spi.StoreProvider with
            io.belay.quorum.QuorumStoreProvider;
}
