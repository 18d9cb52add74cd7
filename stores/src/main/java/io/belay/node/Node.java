package io.belay.node;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import java.util.Objects;

/**
 * A claim's node, as it was when it was read.
 *
 * @param key what the service calls it
 * @param id the claim
 * @param capacity what its client takes the resource's capacity to be
 * @param order where it stands: that of a node made later is greater
 * @param sequence the claim's sequence, of which tokens are made; 0 where only names were read
 * @param version a greater one after each change of its details; {@link #UNREAD} where only names were read, so that the
 *     weight is the one with which it entered
 * @param details what it says
 */
public record Node(String key, ClaimId id, int capacity, long order, long sequence, long version, Details details) {
    /** The version of a node of which only the name was read. */
    public static final long UNREAD = -1;

    /** The sequences that each revision of a service stands for: a sticky claim takes that many at a time. */
    private static final long SEQUENCES = Claim.STICKY_SEQUENCES;

    public Node {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(details, "details");
    }

    /**
     * Returns the sequence of a node that was made in that revision of the service.
     *
     * @throws ArithmeticException if no token can be made of it
     */
    public static long sequence(long revision) {
        long sequence = Math.multiplyExact(revision, SEQUENCES);
        Math.multiplyExact(sequence, 1024L);
        return sequence;
    }

    /** Returns the same node with other details, as its owner has written them. */
    public Node with(long newVersion, Details newDetails) {
        return new Node(
                key, id, capacity, order, sequence, newVersion, Objects.requireNonNull(newDetails, "newDetails"));
    }

    int weight() {
        return details.weight();
    }

    boolean isRead() {
        return version != UNREAD;
    }

    boolean isSame(Node other) {
        return key.equals(other.key) && (sequence == other.sequence || sequence == 0 || other.sequence == 0);
    }
}
