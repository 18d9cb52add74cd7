package io.belay.internal.machine;

import org.jspecify.annotations.Nullable;

/** Somebody who waits for the store's next word about a hold; it is told once, what was refused or nothing. */
public class Ticket {
    final Caller hold;
    /** The end to which the hold is moved, if that is asked for. */
    long end = Caller.NEVER;
    /** Which of the moves of the hold's end this is: the last one counts. */
    int move;
    /** Whether the hold is given back once the word is there. */
    boolean release;
    /** The handle of the same hold with another weight, once there is one. */
    @Nullable
    Caller next;

    public Ticket(Caller hold) {
        this.hold = hold;
    }

    public @Nullable Caller next() {
        return next;
    }
}
