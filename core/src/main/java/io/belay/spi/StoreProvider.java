package io.belay.spi;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A provider of stores of one kind, which it opens by URL; {@link java.util.ServiceLoader} finds it. */
public interface StoreProvider {
    /** Returns the URL schemes that this provider opens, without the colon. */
    Set<String> schemes();

    /**
     * Connects to a store. May block, and is not interrupted by the engine.
     *
     * @param url the whole URL, with the values of variables in it; must not appear in a message if it may hold a password
     * @param client the random number of this client: the first half of all its claim ids, and the address of its pushes
     * @param listener who is told of pushes; may be called before this method returns
     * @throws StoreException if the URL is wrong or the store cannot be used; the message says what to do
     */
    Store open(String url, long client, Store.Listener listener);

    /**
     * Returns what has to be made in the store before its use, in its own language: the statements for its tables. A client
     * that connects later asks for it, too, so that a URL that is wrong is refused at once.
     *
     * @param url as for {@link #open}; the store is not asked
     * @return the text; empty where nothing has to be made
     * @throws StoreException if the URL is wrong; the message says what to do
     */
    default Optional<String> schema(String url) {
        Objects.requireNonNull(url, "url");
        return Optional.empty();
    }

    /**
     * Makes in the store what {@link #schema} says, as far as it is not there. May block.
     *
     * @param url as for {@link #open}
     * @throws StoreException if that cannot be; the message says what to do
     */
    default void prepare(String url) {
        Objects.requireNonNull(url, "url");
    }

    /**
     * Looks at a store for what endangers locks in it. Changes nothing there; may block.
     *
     * @param url as for {@link #open}
     * @return what was found, in any order
     * @throws StoreException if the URL is wrong or the store cannot be looked at; the message says what to do
     */
    default List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        return List.of();
    }
}
