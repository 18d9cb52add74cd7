package io.belay;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The holders of a lock and those who wait for it, at one moment. The store knows clients; what happens inside a client
 * reaches the store with its renewals, and may be a third of a lease old, except for the client that asks.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface Inspection {
    /** Returns the lock's full name. */
    String name();

    /** Returns the claims in their order, holders first. */
    List<Claim> claims();

    /**
     * A client's place in the queue, and which of its threads stands there.
     *
     * <p>Only Belay implements this; methods may be added.
     */
    interface Claim extends Participant {
        /** Returns 0 for a holder, else the place among the waiters, from 1. */
        int place();

        /** Returns the fencing token of its first hold; 0 while it waits. */
        long token();

        /** Returns how it has the lock, or wants it. */
        LockMode mode();

        /** Returns the number of permits; 1 for anything but a semaphore. */
        int permits();

        /** Returns how long ago it entered. */
        Duration age();

        /**
         * Returns for how long the thread has had the lock; empty while it waits, and until its client has told. On etcd, ZooKeeper
         * and quorums its client's wall clock counts, so it is wrong by as much as that is; on quorums also by how long the
         * client's machine was suspended.
         */
        Optional<Duration> held();

        /** Returns when its client was last heard of; empty where the store does not tell, as etcd and ZooKeeper. */
        Optional<Duration> heard();

        /**
         * Returns how long it stands unless it is renewed. etcd and ZooKeeper do not tell: there it is the whole length, whatever
         * has gone of it, of the lease, or of what its end was fixed for.
         */
        Duration remaining();

        /** Returns how many waiters stand behind it inside its client; on etcd and ZooKeeper, where it waits, how many did at first. */
        int localWaiters();

        /**
         * Returns the full name of the lock that whoever holds it waits for, as its client has noted for the search for deadlocks
         * ({@link BelayOptions#withDeadlockCheck}); empty while it waits itself, and for a moment there may be one of a wait that is over.
         */
        Optional<String> waitsFor();

        /** Returns whether it belongs to the client that asked. */
        boolean own();
    }
}
