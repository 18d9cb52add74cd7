package io.belay;

import java.util.List;

/**
 * The hold of several locks at once. It is held while all of them are; {@link #onLost} tells of the first that is
 * lost, and the others stay held until the whole is released.
 */
public interface MultiLease extends Lease {
    /** Returns the hold of each lock, in the order in which they were taken. */
    List<Lease> leases();

    /**
     * Throws, since each lock has a token of its own; see {@link #leases()}.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    long token();

    /**
     * Gives all locks back, all at once.
     *
     * @return {@link Release#RELEASED} if all were released, {@link Release#ALREADY_LOST} if one had been lost, else
     *     {@link Release#UNKNOWN}
     */
    @Override
    Release release();
}
