/** Belay's templates of stores: all but the service, on ordered nodes or on documents. */
module io.belay.stores {
    requires transitive io.belay;
    requires static org.jspecify;

    exports io.belay.document;
    exports io.belay.node;
}
