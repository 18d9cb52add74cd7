package io.belay.spi;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a store to any request: the present state of the claim that the request names, whether or not the
 * request changed it.
 */
public sealed interface Answer permits AnswerValue {
    /** The state of the claim that a request named. */
    enum State {
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

    /**
     * Makes an answer that tells of no claim; what else there is to tell is told by the copies below.
     *
     * @throws IllegalArgumentException here and below, if the values cannot be an answer
     */
    static Answer of(State state, long time) {
        return new AnswerValue(time, state, 0, 0, 0, 0, 0, 0, 0, null, null);
    }

    /**
     * Returns the store's time when it ran the request, in microseconds; 0 in the answer to a leave whose store
     * needed no time to run it.
     */
    long time();

    /** Returns what became of the claim. */
    State state();

    /** Returns the claim's sequence; 0 where there is no claim, unless the state is {@link State#BEHIND}. */
    long sequence();

    /** Returns when the claim expires, in the store's microseconds; 0 where there is no claim. */
    long deadline();

    /** Returns how many changes of its weight or of its end the claim has seen. */
    int reweights();

    /** Returns 0 when granted, else the claim's place among those that wait, from 1. */
    int place();

    /**
     * Returns the earliest deadline among the granted claims, in the store's microseconds; 0 where none is granted.
     */
    long expiry();

    /** Returns how many claims wait, this one not counted. */
    int waiters();

    /**
     * Returns which run of which server answered; pushes of another run are hints only. 0 where a store has but one.
     */
    long server();

    /** Returns why the request was refused, in words for the user; null where it was not. */
    @Nullable
    String refusal();

    /** Returns how many replicas have it; null where nobody asked. A renewal that too few have moves no deadline. */
    @Nullable
    Confirmation confirmation();

    /** Returns the same answer, with the claim's sequence and deadline. */
    Answer withClaim(long sequence, long deadline);

    /** Returns the same answer, with how many changes of weight the claim has seen. */
    Answer withReweights(int changes);

    /** Returns the same answer, with the claim's place among those that wait. */
    Answer withPlace(int itsPlace);

    /** Returns the same answer, with the earliest deadline among the granted, and how many wait. */
    Answer withQueue(long earliest, int waiting);

    /** Returns the same answer, with why the request was refused. */
    Answer withRefusal(@Nullable String why);

    /** Returns the same answer, stamped with the run of the server that gave it. */
    Answer from(long run);

    /** Returns the same answer, with how many replicas have it. */
    Answer confirmedBy(Confirmation replicas);
}
