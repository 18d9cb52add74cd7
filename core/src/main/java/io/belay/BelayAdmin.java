package io.belay;

import io.belay.internal.Stores;
import io.belay.spi.Capabilities;
import io.belay.spi.Finding;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What operators ask and do, beside the locks: who holds what, how the store answers, what was counted, and breaking a lock.
 * {@link Belay#admin()} returns it, for a client or for a view of one; what needs no client is static.
 *
 * <p>{@link #holds}, {@link #waits}, {@link #statistics}, {@link #health} and {@link #capabilities} ask the store nothing and never
 * block. {@link #names}, {@link #inspect} and {@link #forceRelease} block for round trips, and keep an interrupt for later.
 *
 * <p>Thread-safe. Only Belay implements it; methods may be added.
 */
public interface BelayAdmin {
    /**
     * Returns what has to be made in a store before its use, such as the tables of a database. Asks the store
     * nothing.
     *
     * @param url as for {@link Belay#connect(String)}
     * @return the statements, for those who run them by hand; empty where nothing has to be made
     * @throws StoreMisconfiguredException if the URL is wrong
     */
    static Optional<String> schema(String url) {
        return Stores.schema(url);
    }

    /**
     * Makes in a store what {@link #schema(String)} says, as far as it is not there. Blocks until the store answered.
     *
     * @param url as for {@link Belay#connect(String)}, with a user who may make tables
     * @throws StoreUnavailableException if the store cannot be reached
     * @throws StoreMisconfiguredException if the URL is wrong, or the store refuses
     */
    static void prepare(String url) {
        Stores.prepare(url);
    }

    /**
     * Looks at the store behind a URL, and tells in plain words what endangers locks there. Changes nothing in the
     * store. Blocks until the store answered, and a second longer where it watches the server's clock.
     *
     * @param url as for {@link Belay#connect(String)}
     * @return what was found, the worst first; empty if all is well
     * @throws StoreUnavailableException if the store cannot be reached
     * @throws StoreMisconfiguredException if the URL is wrong or the store cannot be looked at as it is
     */
    static List<Finding> examine(String url) {
        return Stores.examine(url);
    }

    /**
     * Returns what the store can do, and cannot, without asking it.
     *
     * @throws StoreUnavailableException if the client connects {@linkplain ConnectMode later} and has not yet
     */
    Capabilities capabilities();

    /**
     * Returns whether the store answers, as the last requests have shown it, without waiting for the store. While it fails, a call
     * also sends it a request, at most one a second, of which the next call tells.
     */
    StoreHealth health();

    /** Returns what this client has counted since it was connected, without asking the store. A view counts nothing apart. */
    Statistics statistics();

    /** Returns what this client holds at this moment, in no order, without asking the store. */
    List<OwnHold> holds();

    /** Returns who waits for a lock in this client at this moment, in no order, without asking the store. */
    List<OwnWait> waits();

    /**
     * Lists the names that are in use, in no order, while they come and go. A name that is there from the beginning to the
     * end is listed exactly once; one that comes or goes meanwhile may be listed or not. Names that nobody holds and nobody
     * waits for any more are listed for as long as the store keeps them, a minute or two, or an hour on MongoDB. A view of
     * a namespace lists its own names, as it knows them.
     *
     * <p>The stream reads page by page, as its elements are asked for: to ask blocks for a round trip now and then. It
     * remembers each name that it has told. It need not be closed.
     *
     * @param prefix what the names begin with; empty for all
     * @return the names; to read on throws {@link StoreUnavailableException} if the store did not answer in time
     * @throws IllegalArgumentException if the prefix is not of the form that {@link Belay#lock(String)} asks for, nor empty
     */
    Stream<String> names(String prefix);

    /**
     * Tells who holds a lock and who waits for it. Blocks for one round trip.
     *
     * @param name the lock's name
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws IllegalArgumentException if the name is not of the form that {@link Belay#lock(String)} asks for
     */
    Inspection inspect(String name);

    /**
     * Tells the deadlocks that there are: threads of any clients that wait for each other's locks. Only waits that their clients look
     * at are told ({@link BelayOptions#withDeadlockCheck}), and rings that stand in two readings half a second apart. Blocks for a
     * round trip for each name, and longer; not thought for programs that call it all the time. A view of a namespace begins with its
     * own names. A name under which the store has what Belay cannot read, as of another program, is told to the log and passed over.
     *
     * @return the rings, each once; empty if there is none
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws StoreMisconfiguredException if the store lets no name be read
     */
    List<Deadlock> deadlocks();

    /**
     * Takes a lock away from whoever holds it, and grants it to the next. <b>This breaks exclusion</b>: until the old
     * holder has been told, by a push at once or by its next renewal at the latest, both may work; only a guard that
     * checks the token protects the resource meanwhile. A fixed lease is not renewed: where its push is lost it is told at its
     * end. The old holder is told by whom: this client's name, host, process and
     * thread, and on whose {@linkplain Belay#onBehalfOf behalf}. Blocks for up to three round trips.
     *
     * @param name the lock's name
     * @return whether somebody held it
     * @throws StoreUnavailableException if the store did not answer in time; then it may have been done all the same
     * @throws IllegalArgumentException if the name is not of the form that {@link Belay#lock(String)} asks for
     */
    boolean forceRelease(String name);
}
