package io.belay.spi;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A client's connection to a store: the only thing that a new store has to implement, besides its
 * {@link StoreProvider}. It keeps resources, runs requests on them one after the other, and pushes grants to the
 * clients that own them.
 *
 * <p><b>Threads.</b> Every method may be called by any thread, also by an interrupted one, and returns without
 * blocking; an answer may come at once, inside the call. Stages must not be completed while a lock of the store is
 * held.
 *
 * <p><b>At most once.</b> A store sends a request once; only the engine re-sends. The exception is what may be done twice
 * without harm and is answered alike then, such as a renewal or a look among others that failed together. A request that
 * was not answered fails its stage with a {@link StoreException}, and may have run.
 */
public interface Store extends AutoCloseable {
    /** Returns what this store can do and what it cannot. */
    Capabilities capabilities();

    /**
     * Returns for how long a client should hand a lock on among its own threads before others get their turn, where the
     * user does not say: some times as long as a hand-over from client to client takes here, or most of the time would
     * go into those.
     */
    default Duration slice() {
        return Duration.ofMillis(2);
    }

    /**
     * Runs one request.
     *
     * @return the answer; fails with a {@link StoreException}
     */
    CompletionStage<Answer> send(Request request);

    /**
     * Runs a chunk of renewals in as few round trips as the store can (as it is here, one by one), each for itself: none
     * fails for what is wrong with another's resource, and none waits for another's resource or server.
     *
     * @return an answer for each, in the same order; each completes as soon as it is known, and fails by itself with a
     *     {@link StoreException}
     */
    default List<? extends CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        Objects.requireNonNull(renewals, "renewals");
        return renewals.stream().map(this::sendApart).toList();
    }

    /** Sends one of several requests: whatever that throws fails this one alone. */
    private CompletionStage<Answer> sendApart(Request request) {
        try {
            return Objects.requireNonNull(send(request), "the store returned no stage");
        } catch (Throwable e) { // a driver may not even find its classes
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Reads a resource without changing it; claims that have expired may still be listed.
     *
     * @return the resource and the store's time; fails with a {@link StoreException}
     */
    CompletionStage<Snapshot> inspect(String resource);

    /**
     * Reads a page of the names of the resources there are, while they come and go. A name that is there from the first
     * page to the last stands in at least one of them, just as clients have written it; one that comes or goes meanwhile
     * may stand there or not. A name may stand in several pages; one that nobody uses any more, as long as the store
     * keeps its resource. A page takes a server no longer than other requests do: some milliseconds.
     *
     * @param prefix what the names begin with; empty for all
     * @param cursor empty for the first page, else what the page before has given
     * @return the page; fails with a {@link StoreException}
     */
    CompletionStage<NamePage> names(String prefix, String cursor);

    /** Closes the connection and ends its threads. Claims stay until they expire: the engine leaves them first. */
    @Override
    void close();

    /** A resource as it was at a moment. */
    sealed interface Snapshot permits SnapshotValue {
        /** Makes a snapshot, whose resource is empty where the store has none of that name. */
        static Snapshot of(long time, Optional<Resource> resource) {
            return new SnapshotValue(time, resource);
        }

        /** Returns the store's time, in microseconds. */
        long time();

        /** Returns the resource; empty where the store has none of that name. */
        Optional<Resource> resource();
    }

    /** Some of the names of the resources in a store. */
    sealed interface NamePage permits NamePageValue {
        /** Makes a page, and the cursor of the next one; that is empty for the last page. */
        static NamePage of(List<String> names, Optional<String> next) {
            return new NamePageValue(names, next);
        }

        /** Makes the only page, or the last one. */
        static NamePage last(List<String> names) {
            return of(names, Optional.empty());
        }

        /** Returns the names, in any order; there may be none although others follow. */
        List<String> names();

        /** Returns the cursor of the next page, in words of the store's own; empty after the last page. */
        Optional<String> next();
    }

    /** A client's listener to what its store tells unasked. Called by the store's threads; must not block. */
    interface Listener {
        /** Tells that a claim of this client was granted or ended; a push about a claim of another client has no effect. */
        void pushed(Push push);

        /** Tells that the connection was lost and is there again: every claim is to be checked. */
        void reconnected();
    }
}
