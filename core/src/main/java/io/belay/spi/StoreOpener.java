package io.belay.spi;

/**
 * An opener of one store, for {@link io.belay.Belay#connect(StoreOpener, io.belay.BelayOptions)}: what a store module
 * offers to those who set the store up with more than a URL can say.
 */
@FunctionalInterface
public interface StoreOpener {
    /**
     * Connects to the store. May block, and is not interrupted by the engine.
     *
     * @param client the random number of this client: the first half of all its claim ids, and the address of its pushes
     * @param listener who is told of pushes; may be called before this method returns
     * @throws StoreException if the store cannot be used; the message says what to do
     */
    Store open(long client, Store.Listener listener);
}
