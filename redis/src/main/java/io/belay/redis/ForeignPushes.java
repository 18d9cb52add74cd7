package io.belay.redis;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The warnings of messages on a client's channel that are not for it, or nothing that Belay writes: one for each run of a
 * server, as whoever may publish there can send any number of them. Thread-safe.
 */
final class ForeignPushes {
    private static final Log LOG = Log.of(LogName.STORE);

    private final Set<Long> warned = ConcurrentHashMap.newKeySet();

    /** Tells of one more. */
    void from(Link link, String address) {
        String line = "{} sent on this client's channel what Belay has not written";
        if (warned.add(link.run())) {
            LOG.warn(line, address);
        } else {
            LOG.debug(line, address);
        }
    }
}
