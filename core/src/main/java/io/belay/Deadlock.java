package io.belay;

import java.time.Duration;
import java.util.List;

/**
 * A ring of threads, in one process or several, each of which waits for a lock that the next one holds; the last one waits for the
 * first. None of them goes on until one gives up. A lease counts as held by the thread that took it; where another may give it back,
 * by a lock without {@link DeadlockPolicy#THROW}, the ring is told, but nobody is its victim.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface Deadlock {
    /** Returns the threads; each holds what the one before it waits for, and the first what the last waits for. */
    List<Edge> ring();

    /** Returns whether permits of a semaphore are part of it: others may come to have enough of them, so that nobody gives up. */
    boolean permits();

    /** A thread that holds a lock and waits for another. */
    interface Edge extends Participant {
        /** Returns the full name of the lock that it holds. */
        String holds();

        /** Returns the fencing token of the claim by which it holds. */
        long token();

        /** Returns for how long it has held that, as {@link Inspection.Claim#held}; zero if its client has not told. */
        Duration held();

        /** Returns the full name of the lock that it waits for. */
        String waitsFor();

        /** Returns for how long it has waited; counted by the same clock. */
        Duration waited();

        /** Returns whether it is the one to give up: the youngest of the waits that {@link DeadlockPolicy#THROW}. */
        boolean victim();

        /** Returns whether it belongs to the client that tells. */
        boolean own();
    }
}
