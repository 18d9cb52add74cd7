package io.belay.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a store to any request: the present state of the claim that the request names, whether or not the
 * request changed it.
 *
 * @param time the store's time when it ran the request, in microseconds; 0 in the answer to a leave whose store needed
 *     no time to run it
 * @param state what became of the claim
 * @param sequence the claim's sequence; 0 where there is no claim, unless the state is {@link State#BEHIND}
 * @param deadline when the claim expires, in the store's microseconds; 0 where there is no claim
 * @param reweights how many changes of its weight or of its end the claim has seen
 * @param place 0 when granted, else the claim's place among those that wait, from 1
 * @param expiry the earliest deadline among the granted claims, in the store's microseconds; 0 where none is granted
 * @param waiters how many claims wait, this one not counted
 * @param server which run of which server answered; pushes of another run are hints only. 0 where a store has but one
 * @param refusal why the request was refused, in words for the user; null where it was not
 * @param confirmation how many replicas have it; null where nobody asked. A renewal that too few have moves no deadline
 */
public record Answer(
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
        @Nullable Confirmation confirmation) {

    /** The state of the claim that a request named. */
    public enum State {
        /** The claim is granted. */
        GRANTED,
        /** The claim waits. */
        WAITING,
        /** The store has no such claim, or the request was about none and has found nothing to end. */
        GONE,
        /** The claim was to enter only if granted at once, and was not entered. */
        BUSY,
        /** The claim left by this request. */
        LEFT,
        /** The claim was not entered; {@link Answer#refusal()} says why. */
        REFUSED,
        /** The claim was not entered, as the sequence it proposed cannot be had; the answer's is the least that can. */
        BEHIND
    }

    /** The latest time and sequence, in the year 2255: a token is a sequence times 1024, in 63 bits. */
    static final long END_OF_TIME = Long.MAX_VALUE / 1024;

    /**
     * Checks what every answer must hold, since stores are not trusted blindly.
     *
     * @throws IllegalArgumentException if the values cannot be an answer
     */
    public Answer {
        Objects.requireNonNull(state, "state");
        check("time", time);
        check("sequence", sequence);
        check("deadline", deadline);
        check("expiry", expiry);
        check("place", place);
        check("waiters", waiters);
    }

    /** Makes an answer that tells of no claim; what else there is to tell is told by the copies below. */
    public static Answer of(State state, long time) {
        return new Answer(time, state, 0, 0, 0, 0, 0, 0, 0, null, null);
    }

    static void check(String what, long value) {
        if (value < 0 || value > END_OF_TIME) {
            throw new IllegalArgumentException("not an answer: " + what + " " + value);
        }
    }

    /** Returns the same answer, with the claim's sequence and deadline. */
    public Answer withClaim(long itsSequence, long itsDeadline) {
        return new Answer(
                time,
                state,
                itsSequence,
                itsDeadline,
                reweights,
                place,
                expiry,
                waiters,
                server,
                refusal,
                confirmation);
    }

    /** Returns the same answer, with how many changes of weight the claim has seen. */
    public Answer withReweights(int changes) {
        return new Answer(
                time, state, sequence, deadline, changes, place, expiry, waiters, server, refusal, confirmation);
    }

    /** Returns the same answer, with the claim's place among those that wait. */
    public Answer withPlace(int itsPlace) {
        return new Answer(
                time, state, sequence, deadline, reweights, itsPlace, expiry, waiters, server, refusal, confirmation);
    }

    /** Returns the same answer, with the earliest deadline among the granted, and how many wait. */
    public Answer withQueue(long earliest, int waiting) {
        return new Answer(
                time, state, sequence, deadline, reweights, place, earliest, waiting, server, refusal, confirmation);
    }

    /** Returns the same answer, with why the request was refused. */
    public Answer withRefusal(@Nullable String why) {
        return new Answer(
                time, state, sequence, deadline, reweights, place, expiry, waiters, server, why, confirmation);
    }

    /** Returns the same answer, stamped with the run of the server that gave it. */
    public Answer from(long run) {
        return new Answer(
                time, state, sequence, deadline, reweights, place, expiry, waiters, run, refusal, confirmation);
    }

    /** Returns the same answer, with how many replicas have it. */
    public Answer confirmedBy(Confirmation replicas) {
        Objects.requireNonNull(replicas, "replicas");
        return new Answer(
                time, state, sequence, deadline, reweights, place, expiry, waiters, server, refusal, replicas);
    }
}
