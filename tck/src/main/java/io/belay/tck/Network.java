package io.belay.tck;

/** A line to a store that a test can disturb in every way. */
public interface Network extends Line {
    /**
     * Lets nothing through in either direction from now on, and tells nobody; connections stay open. What is sent
     * meanwhile may be lost, or arrive late.
     */
    void silence();

    /** Loses pushes from now on; requests and their answers get through. */
    void losePushes();

    /** Loses the answer to the next request, which is obeyed: together with the connection, if need be. */
    void loseNextAnswer();

    /** Lets all through again from now on, over new connections if need be. */
    void restore();
}
