package io.belay.redis;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The addresses that were tried in vain since they were last reached: others of the same host come first. */
final class DeadAddresses {
    /** The most that are known, as hosts come and go. */
    private static final int MOST = 1_000;

    private static final AtomicLong TRIES = new AtomicLong();
    /** The number of the try in vain that was an address's last. */
    private static final Map<InetAddress, Long> LAST = new ConcurrentHashMap<>();

    private DeadAddresses() {}

    static void add(SocketAddress tried) {
        if (LAST.size() >= MOST) {
            LAST.clear();
        }
        if (tried instanceof InetSocketAddress address && !address.isUnresolved()) {
            LAST.put(address.getAddress(), TRIES.incrementAndGet());
        }
    }

    static void remove(SocketAddress reached) {
        if (reached instanceof InetSocketAddress address) {
            LAST.remove(address.getAddress());
        }
    }

    /** Returns a number that is the greater the later an address was tried in vain; 0 if it was not. */
    static long lastTry(InetAddress address) {
        return LAST.getOrDefault(address, 0L);
    }
}
