package io.belay.document;

import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A database of a test's own: a map, which stores may share. Nobody hears a call. */
final class MapDocuments implements Documents {
    /** How many names a page has. */
    static final int PAGE = 3;

    final AtomicInteger reads = new AtomicInteger();
    final AtomicInteger connections = new AtomicInteger();
    /** How many calls were made. */
    final AtomicInteger calls = new AtomicInteger();
    /** How many changes came too late. */
    final AtomicInteger refused = new AtomicInteger();
    /** Whether a reading counts as one that crosses a network. */
    volatile boolean far = true;
    /** Whether a client is told that others call it, so that it does not look by itself. */
    volatile boolean called;
    /** What a test does before a connection is made: it may throw. */
    volatile Runnable beforeConnecting = () -> {};
    /** What a test does before the store listens: it may throw. */
    volatile Runnable beforeListening = () -> {};
    /** How often it was closed. */
    final AtomicInteger closed = new AtomicInteger();
    /** What a test does before resources are read, before changes are made, and before that is told: it may throw. */
    volatile Consumer<Collection<String>> beforeReading = resources -> {};

    volatile Consumer<List<Change>> beforeWriting = changes -> {};
    volatile Consumer<List<Change>> afterWriting = changes -> {};
    /** What a test does before a page of names is read: it may throw. */
    volatile Consumer<String> beforeListing = cursor -> {};
    /** What a test does before calls are made: it may throw. */
    volatile Consumer<Collection<Call>> beforeCalling = made -> {};

    /** Whether a connection is of use after a failure that may pass. */
    volatile boolean survives;

    private final TreeMap<String, Found> documents = new TreeMap<>();

    void clear() {
        synchronized (documents) {
            documents.clear();
        }
    }

    /** Writes what no store of this version has written. */
    void put(String resource, byte[] state) {
        synchronized (documents) {
            documents.put(resource, new Found(1, state));
        }
    }

    byte[] get(String resource) {
        synchronized (documents) {
            return documents.get(resource).state();
        }
    }

    @Override
    public Session connect() {
        connections.incrementAndGet();
        beforeConnecting.run();
        return new MapSession();
    }

    @Override
    public boolean isFar() {
        return far;
    }

    @Override
    public boolean listen(long client, Bell bell) {
        beforeListening.run();
        return called;
    }

    @Override
    public void close() {
        closed.incrementAndGet();
    }

    private final class MapSession implements Session {
        @Override
        public Reading read(Collection<String> resources) {
            beforeReading.accept(resources);
            reads.incrementAndGet();
            synchronized (documents) {
                Map<String, Found> found = new HashMap<>(documents);
                found.keySet().retainAll(resources);
                return new Reading(now(), found);
            }
        }

        private long now() {
            return System.currentTimeMillis() * 1000;
        }

        @Override
        public Set<String> write(List<Change> changes, long notAfter) {
            beforeWriting.accept(changes);
            Set<String> written = new HashSet<>();
            synchronized (documents) {
                for (Change change : changes) {
                    Found found = documents.get(change.resource());
                    if ((found == null ? 0 : found.version()) == change.before() && now() <= notAfter) {
                        documents.put(change.resource(), new Found(change.version(), change.state()));
                        written.add(change.resource());
                    } else {
                        refused.incrementAndGet();
                    }
                }
            }
            afterWriting.accept(changes);
            return written;
        }

        @Override
        public boolean survives(StoreException failure) {
            return survives;
        }

        @Override
        public boolean reserve(String resource, long version, long over) {
            synchronized (documents) {
                return documents.computeIfPresent(
                                        resource,
                                        (name, found) ->
                                                found.version() > over ? new Found(version, found.state()) : found)
                                != null
                        && documents.get(resource).version() == version;
            }
        }

        @Override
        public Store.NamePage names(String prefix, String cursor) {
            beforeListing.accept(cursor);
            synchronized (documents) {
                List<String> page = documents.tailMap(cursor, false).keySet().stream()
                        .limit(PAGE)
                        .toList();
                return Store.NamePage.of(
                        page.stream().filter(name -> name.startsWith(prefix)).toList(),
                        page.size() < PAGE ? Optional.empty() : Optional.of(page.get(PAGE - 1)));
            }
        }

        @Override
        public void ring(Collection<Call> made) {
            beforeCalling.accept(made);
            calls.addAndGet(made.size());
        }

        @Override
        public boolean sweep() {
            return false;
        }

        @Override
        public void close() {}
    }
}
