package io.belay.tck;

import io.belay.Belay;
import io.belay.BelayOptions;
import java.time.Duration;

/** A line to a store that a test can disturb. Clients that are connected by {@link StoreSpec#url()} do not use it. */
public interface Network {
    /** Where the store is for those who use this line. */
    String url();

    /**
     * Connects a client over this line.
     *
     * @param options with which the client is to work
     */
    default Belay connect(BelayOptions options) {
        return Belay.connect(url(), options);
    }

    /** The request timeout of a client that uses this line: longer than it takes to connect anew. */
    default Duration requestTimeout() {
        return Duration.ofMillis(400);
    }

    /**
     * From now on nothing gets through in either direction, and nobody is told; connections stay open. What is sent
     * meanwhile may be lost, or arrive late.
     */
    void silence();

    /** From now on pushes are lost; requests and their answers get through. */
    void losePushes();

    /** The next request gets through, is obeyed, and its answer is lost: together with the connection, if need be. */
    void loseNextAnswer();

    /** From now on all gets through again, over new connections if need be. */
    void restore();
}
