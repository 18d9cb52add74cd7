package io.belay.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The record behind {@link Answer}, which checks what every answer must hold: stores are not trusted blindly. */
record AnswerValue(
        long time,
        State state,
        long sequence,
        long deadline,
        int reweights,
        int place,
        long expiry,
        int waiters,
        long server,
        @Nullable String refusal,
        @Nullable Confirmation confirmation)
        implements Answer {
    /** The latest time and sequence, in the year 2255: a token is a sequence times 1024, in 63 bits. */
    static final long END_OF_TIME = Long.MAX_VALUE / 1024;

    /** The bits that nothing from zero to that has, as its own are all ones. */
    static final long IMPOSSIBLE = ~END_OF_TIME;

    AnswerValue {
        Objects.requireNonNull(state, "state");
        if (((time | sequence | deadline | expiry | place | waiters) & IMPOSSIBLE) != 0) {
            check("time", time);
            check("sequence", sequence);
            check("deadline", deadline);
            check("expiry", expiry);
            check("place", place);
            check("waiters", waiters);
        }
    }

    /** Makes an answer that tells of no claim, at once. */
    static Answer of(State state, long now, long sequence, long expiry, int waiters, @Nullable String refusal) {
        return new AnswerValue(now, state, sequence, 0, 0, 0, expiry, waiters, 0, refusal, null);
    }

    /** Makes the answer that tells of a claim, at once: copies of copies would be garbage. */
    static Answer of(Claim claim, long now, int place, long expiry, int waiters, @Nullable String refusal) {
        State state = place == 0 ? State.GRANTED : State.WAITING;
        long deadline = claim.deadline();
        int changes = claim.reweights();
        return new AnswerValue(
                now, state, claim.sequence(), deadline, changes, place, expiry, waiters, 0, refusal, null);
    }

    static void check(String what, long value) {
        if ((value & IMPOSSIBLE) != 0) {
            throw new IllegalArgumentException("not an answer: " + what + " " + value);
        }
    }

    @Override
    public Answer withClaim(long sequence, long deadline) {
        return new AnswerValue(
                time, state, sequence, deadline, reweights, place, expiry, waiters, server, refusal, confirmation);
    }

    @Override
    public Answer withReweights(int changes) {
        return new AnswerValue(
                time, state, sequence, deadline, changes, place, expiry, waiters, server, refusal, confirmation);
    }

    @Override
    public Answer withPlace(int itsPlace) {
        return new AnswerValue(
                time, state, sequence, deadline, reweights, itsPlace, expiry, waiters, server, refusal, confirmation);
    }

    @Override
    public Answer withQueue(long earliest, int waiting) {
        return new AnswerValue(
                time, state, sequence, deadline, reweights, place, earliest, waiting, server, refusal, confirmation);
    }

    @Override
    public Answer withRefusal(@Nullable String why) {
        return new AnswerValue(
                time, state, sequence, deadline, reweights, place, expiry, waiters, server, why, confirmation);
    }

    @Override
    public Answer from(long run) {
        return new AnswerValue(
                time, state, sequence, deadline, reweights, place, expiry, waiters, run, refusal, confirmation);
    }

    @Override
    public Answer confirmedBy(Confirmation replicas) {
        Objects.requireNonNull(replicas, "replicas");
        return new AnswerValue(
                time, state, sequence, deadline, reweights, place, expiry, waiters, server, refusal, replicas);
    }
}
