package io.belay.tck;

import org.junit.jupiter.api.Nested;

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
 */
public abstract class StoreTck {
    /** Creates an instance; only test classes do so. */
    protected StoreTck() {}

    /**
     * Opens a store that one test has to itself. Called before each test, by several threads where JUnit runs tests in
     * parallel.
     *
     * @throws Exception if that fails, and the test with it
     */
    protected abstract StoreSpec open() throws Exception;

    /** Exclusive locks, and what is made of them. */
    @Nested
    final class Locks extends LockContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Locks for readers and writers. */
    @Nested
    final class ReadWriteLocks extends ReadWriteContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Semaphores, latches and elections. */
    @Nested
    final class Coordination extends CoordinationContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Semaphores whose number, permits and holders change. */
    @Nested
    final class Semaphores extends SemaphoreContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Waits that are served, and waits that end early. */
    @Nested
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
    final class Contention extends ContentionContract {
        @Override
        StoreSpec open() throws Exception {
            return StoreTck.this.open();
        }
    }

    /** Processes that are killed and stopped. */
    @Nested
    final class Processes extends ProcessContract {
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
