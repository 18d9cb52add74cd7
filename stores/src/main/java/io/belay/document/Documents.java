package io.belay.document;

import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A database that keeps documents by name, each with a version: what a {@link DocumentStore} needs of it. Methods may
 * block, for no longer than the database's time-out, and fail with a {@link StoreException}.
 */
public interface Documents extends AutoCloseable {
    /**
     * Opens a connection. Several are open at once, each used by one thread.
     *
     * @throws StoreException if the database cannot be reached, or does not let this client in
     */
    Session connect();

    /**
     * Returns whether a reading crosses a network: a client that is alone with a document does without reading it then.
     * Either answer is right; one is faster.
     */
    boolean isFar();

    /**
     * Begins to listen, in a thread of its own, to other clients that {@link Session#ring}. Calls that are made after
     * this has returned are heard, or told as {@link Bell#missed}.
     *
     * @param client the number of this client
     * @return whether there will be any to hear; if not, this client polls now and then
     */
    boolean listen(long client, Bell bell);

    /** Ends what was begun with {@link #listen}. */
    @Override
    void close();

    /** The receiver of other clients' calls, which come on threads that must not be blocked. */
    interface Bell {
        /**
         * Tells that a document was changed so that it matters to this client, which is to look there. May be untrue.
         */
        void rang(String resource);

        /** Tells that calls may have been lost. */
        void missed();
    }

    /**
     * A connection. Used by one thread at a time, but for {@link #close}; of no more use after a failure that may pass, unless it
     * {@linkplain #survives says} so.
     */
    interface Session extends AutoCloseable {
        /**
         * Reads documents, and the database's clock: the reading must see all changes that were made before, and none
         * that may be undone, as an answer may come of a reading alone.
         */
        Reading read(Collection<String> resources);

        /**
         * Makes changes, each for itself: unless the document's version is another one than was read, or the database's
         * clock is past a time. To compare, to look at the clock and to write is one step of the database's own, as the
         * client may be stopped between any two of its own.
         *
         * @param notAfter that time, in microseconds since 1970, at which a change may still be made: whatever was read
         *     is not to be relied on for longer
         * @return the resources whose change was made
         * @throws StoreException some of the changes may have been made all the same
         */
        Set<String> write(List<Change> changes, long notAfter);

        /**
         * Sets a document's version, if it is there and its version is greater than {@code over}; its state stays, and
         * when it may be forgotten. So a client to which others are quicker asks them to step back.
         *
         * @param version the document's next version, negative
         * @param over a negative number
         * @return whether it was set
         */
        boolean reserve(String resource, long version, long over);

        /**
         * Reads which of these changes were made, where {@link #write} had no answer: a version is given once, so that
         * it says whose change it is.
         *
         * @return the resources whose change was made
         * @throws StoreException if that cannot be told, as somebody has changed a document since
         */
        default Set<String> made(List<Change> changes) {
            Objects.requireNonNull(changes, "changes");
            Map<String, Found> found =
                    read(changes.stream().map(Change::resource).toList()).found();
            Set<String> made = new HashSet<>();
            for (Change change : changes) {
                Found now = found.get(change.resource());
                if (now == null || now.version() == change.before()) {
                    continue; // what is made is not forgotten so soon
                } else if (now.version() == change.version()) {
                    made.add(change.resource());
                } else {
                    throw StoreException.unreachable(
                            "it cannot be told whether '" + change.resource()
                                    + "' was changed before others changed it",
                            null);
                }
            }
            return made;
        }

        /**
         * Reads a page of the names of the documents there are; arguments and page as for {@link Store#names}. The cursor is
         * in words of the database's own.
         *
         * @return a thousand names or so at most, so that those who wait for locks do not wait for it
         */
        Store.NamePage names(String prefix, String cursor);

        /** Calls clients. Some of the calls may be lost. */
        void ring(Collection<Call> calls);

        /**
         * Deletes documents that may be forgotten by the database's clock, some at a time; a store calls this now and
         * then. Where many clients share the database, one of them at a time is enough: the others may do nothing.
         *
         * @return whether there may be more, so that this is to be called again
         */
        boolean sweep();

        /** Returns whether it can be used on after such a failure of its own, as the database has only ended what was asked. */
        default boolean survives(StoreException failure) {
            return false;
        }

        @Override
        void close();
    }

    /**
     * The documents that were read.
     *
     * @param time the database's clock when they were read, in microseconds since 1970
     * @param found the documents that there are, by resource
     */
    record Reading(long time, Map<String, Found> found) {
        public Reading {
            Objects.requireNonNull(found, "found");
        }
    }

    /**
     * A document.
     *
     * @param version the one of its last {@link Change}, or reservation: who changes it gives it one that it never had
     * @param state what it says
     */
    record Found(long version, byte[] state) {
        public Found {
            Objects.requireNonNull(state, "state");
        }
    }

    /**
     * A change of a document.
     *
     * @param before the version that it must have; 0 if there must be none
     * @param version its next version
     * @param forget from when on it may be deleted, in microseconds since 1970; {@link Long#MAX_VALUE} for never
     */
    record Change(String resource, long before, long version, byte[] state, long forget) {
        public Change {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(state, "state");
        }
    }

    /** A call for a client; see {@link Bell#rang}. */
    record Call(long client, String resource) {
        public Call {
            Objects.requireNonNull(resource, "resource");
        }
    }
}
