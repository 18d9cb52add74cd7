package io.belay.redis;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The servers of whom a client has understood an answer, and whether it was ever connected; shared by all that connect on
 * its behalf. By it messages leave out what cannot be the reason of a failure any more. Thread-safe.
 */
final class KnownServers {
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private volatile boolean connected;

    /** Notes that the client was connected: what is wrong with a certificate since then may be mended. */
    void connected() {
        connected = true;
    }

    boolean isConnected() {
        return connected;
    }

    /** Notes that a server was understood, and so that it speaks TLS, or does not, as the URL says. */
    void answered(String address) {
        answered.add(address);
    }

    boolean hasAnswered(String address) {
        return answered.contains(address);
    }
}
