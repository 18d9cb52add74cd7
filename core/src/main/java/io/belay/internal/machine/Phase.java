package io.belay.internal.machine;

/** The state that a client believes a claim to be in. */
public enum Phase {
    /** The client enters the claim, and has no answer yet. */
    ENTERING,
    /** The claim waits in the queue. */
    WAITING,
    /** The claim is granted, and may be used until the deadline, by a caller or by none. */
    HELD,
    /** The claim's yield was sent and is not answered; the claim is not held meanwhile. */
    YIELDING,
    /** The claim was lost, refused or left. Final. */
    OVER
}
