package io.belay;

/**
 * A thread of a client that has a lock, waits for it, or leads.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface Participant {
    /** Returns the client's name. */
    String client();

    /** Returns its host. */
    String host();

    /** Returns its process id. */
    long process();

    /**
     * Returns the thread that has the lock, or the one that asked for it while it waits; one of them where several threads of
     * the client read, whose number stores do not know; empty while a client keeps the lock and none of its threads has it.
     */
    String thread();

    /** Returns on whose behalf, as {@link Belay#onBehalfOf} has named it; empty if nobody's. */
    String behalf();
}
