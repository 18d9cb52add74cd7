package io.belay.internal;

/**
 * A client's turn with a lock: the time slice that a grant opens, and the fencing tokens of the hands that the lock goes
 * through within it. A token is {@code sequence * 1024 + k}, where k counts the hand-offs within one sequence; all
 * guarded by the gate's lock.
 */
final class Turn {
    /** How many tokens one sequence has room for. */
    private static final int TOKENS = 1024;

    private final long slice;
    private final int tokens;
    private long start;
    private long sequence;
    private int handOffs;

    /** {@code slice} in nanoseconds; {@code sequences} is how many the claim is given at a time. */
    Turn(long slice, int sequences) {
        this.slice = slice;
        tokens = TOKENS * sequences;
    }

    /** The first token of a sequence. */
    static long firstToken(long sequence) {
        return Math.multiplyExact(sequence, TOKENS);
    }

    /** The lock was granted under that sequence, in this turn or as the begin of a new one. */
    void granted(long grantedSequence, boolean begins, long now) {
        if (begins) {
            start = now;
        }
        if (begins || grantedSequence != sequence) {
            sequence = grantedSequence;
            handOffs = 0;
        }
    }

    /** The token of the next hand-off. */
    long nextToken() {
        return firstToken(sequence) + handOffs++;
    }

    /** Whether it is time to ask for a fresh sequence, without stopping: once, when half of the tokens are used up. */
    boolean needsFreshSequence() {
        return handOffs == tokens / 2;
    }

    /** Whether the tokens are used up, so that nothing can be handed on before there is a fresh sequence. */
    boolean isUsedUp() {
        return handOffs == tokens;
    }

    /** Whether the time slice is over, so that others come next. */
    boolean isOver(long now) {
        return now - start >= slice;
    }
}
