package io.belay.quorum;

import io.belay.spi.Answer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The state of a claim at one member, as far as is known. */
final class Vote {
    /** True while the claim may be there, so that it is to be left. */
    boolean there;
    /** The claim's sequence there. */
    long sequence;
    /** The end of the time for which the member promises to take no other. */
    PromisedEnd until = PromisedEnd.NONE;
    /** The run of the server that has promised it; 0 where a store has but one. */
    long server;
    /** True once the claim's end is fixed there. */
    boolean isFixed;
    /** The answer to the claim's last enter; null if nothing of an enter can be on its way. */
    private @Nullable CompletableFuture<Answer> entering;

    /** Notes that the claim was sent to the member. */
    void entering(CompletableFuture<Answer> answer) {
        there = true;
        entering = answer;
    }

    /**
     * Notes what a server promises. The later of its answers counts, also one that brings a fixed end nearer: its clock
     * has gone on while this machine was suspended.
     */
    void promise(PromisedEnd newUntil, long newServer) {
        until = newServer == server && until.isLaterThan(newUntil) ? until : newUntil;
        server = newServer;
    }

    /** Notes that the claim is there. */
    void arrived() {
        entering = null;
    }

    /**
     * Returns whether the claim's enter may still be on its way. It looks at the answer itself: one that has come but was
     * not heard by the quorum yet will do.
     */
    boolean isUnclear() {
        return entering != null && (!entering.isDone() || entering.isCompletedExceptionally());
    }

    void clear() {
        there = false;
        entering = null;
        sequence = 0;
        until = PromisedEnd.NONE;
        server = 0;
        isFixed = false;
    }
}
