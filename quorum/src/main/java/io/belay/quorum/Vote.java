package io.belay.quorum;

/** The state of a claim at one member, as far as is known. */
final class Vote {
    /** True while the claim may be there, so that it is to be left. */
    boolean there;
    /** True while the claim's enter may still be on its way. */
    boolean unclear;
    /** The claim's sequence there. */
    long sequence;
    /** The time until which the member promises to take no other, in the quorum's microseconds; 0 for no promise. */
    long until;

    void clear() {
        there = false;
        unclear = false;
        sequence = 0;
        until = 0;
    }
}
