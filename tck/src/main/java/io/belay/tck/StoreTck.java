package io.belay.tck;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The tests that a store must pass. A store's test extends this and says how to open one; everything else is here.
 *
 * <pre>{@code
 * class OwnStoreTest extends StoreTck {
 *     @Override
 *     protected StoreSpec open() {
 *         String url = "own://localhost/" + UUID.randomUUID();
 *         return () -> url;
 *     }
 * }
 * }</pre>
 *
 * <p>The suite has two floors. The lower one is what a store itself must do: requests, leases, names, processes, network
 * and server. The upper one, whose classes have the tag {@value #CLIENT}, is what a client makes of any store that does
 * so, and can be left out where another store of the same kind has passed it.
 */
public abstract class StoreTck {
    /** The tag of the upper floor. */
    public static final String CLIENT = "client";
    /** The tag of the tests of the lower floor that take most of its time: processes, contests, and a great many names. */
    public static final String COSTLY = "costly";

    /** The tag of tests that take many seconds each. */
    public static final String LONG = "long";

    /** The tag of the tests of half-open connections, by which these can be run alone. */
    public static final String HALF_OPEN = "half-open";

    /** Creates an instance; only test classes do so. */
    protected StoreTck() {}

    /**
     * Opens a store that one test has to itself. Called before each test, by several threads where JUnit runs tests in
     * parallel.
     *
     * @throws Exception if that fails, and the test with it
     */
    protected abstract StoreSpec open() throws Exception;

    /** Exclusive locks. */
    @Nested
    @Tag(CLIENT)
    final class Locks extends LockContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Locks for readers and writers. */
    @Nested
    @Tag(CLIENT)
    final class ReadWriteLocks extends ReadWriteContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Semaphores, latches and elections. */
    @Nested
    @Tag(CLIENT)
    final class Coordination extends CoordinationContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Semaphores whose number, permits and holders change. */
    @Nested
    @Tag(CLIENT)
    final class Semaphores extends SemaphoreContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Waits that are served, and waits that end early. */
    @Nested
    @Tag(CLIENT)
    final class Waiting extends WaitingContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Leases, how they last and end, and what becomes of a release. */
    @Nested
    final class Leases extends LeaseContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Locks that threads own. */
    @Nested
    @Tag(CLIENT)
    final class ReentrantLocks extends ReentrantContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Names of all kinds, and many of them. */
    @Nested
    final class Names extends NamesContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Locks that two clients ask for at the same instant. */
    @Nested
    @Tag(COSTLY)
    final class Contention extends ContentionContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Processes that are killed and stopped. */
    @Nested
    @Tag(COSTLY)
    final class Processes extends ProcessContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Clients that are paused and resumed. */
    @Nested
    final class Pauses extends PauseContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** A network that falls silent and loses messages. */
    @Nested
    final class BadNetwork extends NetworkContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Connections that are half-open, amid holds and waits. */
    @Nested
    @Tag(LONG)
    @Tag(HALF_OPEN)
    final class HalfOpenConnections extends HalfOpenContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** A server that is killed, and one whose clock jumps. */
    @Nested
    final class BadServer extends ServerContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Requests that come late and twice. */
    @Nested
    final class SingleRequests extends RequestContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Claims whose end is fixed. */
    @Nested
    final class FixedEnds extends EndContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** The database under a store of documents. */
    @Nested
    final class StoredDocuments extends DocumentsContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** The service under a store of nodes. */
    @Nested
    final class OrderedNodes extends NodesContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Random requests, beside the reference model. */
    @Nested
    final class Model extends ModelContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }
}
