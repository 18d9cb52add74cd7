package io.belay.tck;

import io.belay.Belay;
import io.belay.BelayOptions;
import java.time.Duration;

/** A line to a store that a test can disturb. Clients that are connected by {@link StoreSpec#url()} do not use it. */
public interface Network {
    /** Returns the URL at which clients reach the store over this line. */
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
     * Lets nothing through in either direction from now on, and tells nobody; connections stay open. What is sent
     * meanwhile may be lost, or arrive late.
     */
    void silence();

    /** Loses pushes from now on; requests and their answers get through. */
    void losePushes();

    /** Loses the answer to the next request, which is obeyed: together with the connection, if need be. */
    void loseNextAnswer();

    /**
     * Ends the store's side of all connections that there are, of which the clients hear nothing; new connections work.
     *
     * @return whether this line can do so
     */
    default boolean halfOpen() {
        return false;
    }

    /** How long it takes at most until a client works again whose connections are {@linkplain #halfOpen half-open}. */
    default Duration worksAgainWithin() {
        return requestTimeout().multipliedBy(2).plusSeconds(2);
    }

    /** Lets all through again from now on, over new connections if need be. */
    void restore();
}
