package io.belay.node;

/** The step that a {@link NodeClaim} calls for after something was learnt. */
enum Next {
    /** The claim waits, or is granted as it was before: nothing is to be done. */
    NOTHING,
    /** The node that kept the claim waiting has gone, and others may have gone before: read again who is before it. */
    READ,
    /** The claim has nobody in its way, as far as is known: look whether that is so, and its own node is there. */
    CONFIRM,
    /** The claim can never be granted, and keeps those behind it waiting: its owner is to ask, which ends it. */
    SHUT_OUT,
    /** The claim has just been granted. */
    GRANTED
}
