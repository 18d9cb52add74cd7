package io.belay.tck;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.document.Documents;
import io.belay.node.Nodes;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A store of the kind that is tested, as {@link StoreTck} is to see it: opened before each test and closed after
 * it. All but {@link #url()} may stay as it is; whatever a spec does not offer is not tested, and the skipped
 * tests say so.
 *
 * <p>A test's threads call these methods, one at a time, and the methods may block.
 */
public interface StoreSpec extends AutoCloseable {
    /** Returns the URL of the store: no other test may see its locks. The same in each call. */
    String url();

    /**
     * Connects a client.
     *
     * @param options with which the client is to work
     */
    default Belay connect(BelayOptions options) {
        return Belay.connect(url(), options);
    }

    /**
     * Connects without a client, to send requests one by one. Unless it is overridden, this asks the
     * {@link StoreProvider} of the URL's scheme.
     *
     * @param client the number of the client that the requests are of
     * @param listener who is told of pushes
     */
    default Store open(long client, Store.Listener listener) {
        String scheme = url().substring(0, url().indexOf(':'));
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            if (provider.schemes().contains(scheme)) {
                return provider.open(url(), client, listener);
            }
        }
        throw StoreException.unusable("no provider on the class path opens the scheme " + scheme + ":", null);
    }

    /** Returns whether another process that is given the URL has the same locks. */
    default boolean isShared() {
        return true;
    }

    /**
     * Returns whether claims wait in the store, in order, and share a capacity. A store that only says yes or no
     * to each claim, like a quorum, has locks and elections, and neither read-write locks nor semaphores or latches, and
     * who observes an election there only asks.
     */
    default boolean queues() {
        return true;
    }

    /**
     * Returns whether the store knows which clients listen, and passes on a grant that its owner cannot hear of in
     * the same step: it then does what {@link io.belay.spi.Request.Skip} would.
     */
    default boolean passesOverTheDeaf() {
        return false;
    }

    /** The longest lease that a claim may have: no test asks for more. Where claims need a session, none is longer. */
    default Duration longestLease() {
        return Duration.ofDays(365);
    }

    /** Returns whether a claim may have a fixed lease of its own: {@link io.belay.spi.Capabilities#leasePerClaim()}. */
    default boolean leasePerClaim() {
        return true;
    }

    /**
     * Returns whether a claim that nobody renews ends although its client lives. Where claims live as long as a
     * client's session, and its deadlines are the session's, they end with it alone.
     */
    default boolean claimsExpire() {
        return true;
    }

    /**
     * Returns whether the store keeps a deadline for each claim, which is exactly as far away as the client asked. A
     * store whose claims end with a lease or a session that they share tells deadlines that are no later than that.
     */
    default boolean keepsDeadlines() {
        return true;
    }

    /** Returns whether the store soon passes on a grant whose owner is not heard of, before that owner's lease ends. */
    default boolean passesOverTheSilent() {
        return true;
    }

    /** Returns the longest time, from when its owner was last heard of, until a claim of that lease is gone. */
    default Duration endsWithin(Duration lease) {
        return lease;
    }

    /**
     * Returns whether the store does more than it is asked for, such as to expire claims between requests, or to
     * ask once more before it answers. No test can foretell that to the microsecond, so it does not compare random
     * histories with the reference model then.
     */
    default boolean actsUnasked() {
        return false;
    }

    /**
     * Puts something in the place of a resource, with claims in it, that no store of this kind writes: rubbish
     * under its key, or in its row. Other resources stay as they are.
     *
     * @return whether that can be done; if not, the test of what it does to others is skipped
     * @throws Exception if it fails, and the test with it
     */
    default boolean damage(String resource) throws Exception {
        return false;
    }

    /** A line to the store that can be disturbed; if empty, the tests of a bad network are skipped. */
    default Optional<Network> network() {
        return Optional.empty();
    }

    /**
     * A line to the store whose connections can become half-open; if empty, the test of that is skipped. Unless it is
     * overridden, the same as {@link #network}.
     */
    default Optional<Line> line() {
        return network().map(Line.class::cast);
    }

    /** The store's server; empty if it has none that can be killed, and the tests of that are skipped. */
    default Optional<Server> server() {
        return Optional.empty();
    }

    /**
     * Opens the database as each client of a {@link io.belay.document.DocumentStore} does, ready to be written to;
     * the test closes it. Empty if the store is none of these: then only the locks test what is promised of a
     * single write.
     */
    default Optional<Documents> documents() {
        return Optional.empty();
    }

    /**
     * Returns whether the first session of {@link #documents} that sweeps deletes at once what may be forgotten. If not, as it
     * is the database that deletes, in its own time, that it does so is not tested.
     */
    default boolean sweeps() {
        return false;
    }

    /**
     * Connects to the service as each client of a {@link io.belay.node.NodeStore} does, anew in each call; the test
     * closes it. Empty if the store is none of these: then only the locks test what is promised of a single node.
     */
    default Optional<Nodes> nodes() {
        return Optional.empty();
    }

    /**
     * Returns how long a test waits for what is to happen at once before it fails: 20 seconds, and more on a machine
     * that is slow when the suite begins.
     */
    default Duration patience() {
        return Pace.HERE.patience();
    }

    /** Closes the store at the end of a test; nothing may be left running. */
    @Override
    default void close() {}
}
