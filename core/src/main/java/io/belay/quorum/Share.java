package io.belay.quorum;

/** What a claim has at one member, as far as is known. */
final class Share {
    /** Whether the claim may be there, so that it is to be left. */
    boolean there;
    /** Whether its enter may still be on its way. */
    boolean unclear;
    /** Its sequence there. */
    long sequence;
    /** Until when the member promises not to have another, in the quorum's microseconds; 0 for no promise. */
    long until;

    void clear() {
        there = false;
        unclear = false;
        sequence = 0;
        until = 0;
    }
}
