package io.belay.node;

/** What is to be done about a {@link NodeClaim} after something was learnt. */
enum Next {
    /** Nothing: it waits, or is granted as it was before. */
    NOTHING,
    /** Who kept it waiting has gone, and others may have gone before: read again who is before it. */
    READ,
    /** Nobody is in its way any more, as far as is known: look whether that is so, and its own node is there. */
    CONFIRM,
    /** It has just been granted. */
    GRANTED
}
