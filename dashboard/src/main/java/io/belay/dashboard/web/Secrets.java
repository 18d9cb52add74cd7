package io.belay.dashboard.web;

import io.belay.support.Mutex;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Random texts that were given out, the last thousand, each for twelve hours. Thread-safe. */
final class Secrets {
    private static final int MOST = 1_000;
    private static final int BYTES = 24;
    private static final long LIFE_NANOS = 12 * 3_600_000_000_000L;

    private final SecureRandom random = new SecureRandom();
    private final Mutex lock = new Mutex();

    /** When each was made, the oldest first. By the lock. */
    private final Map<String, Long> made = new LinkedHashMap<>();

    private final LongSupplier nanoTime;

    Secrets() {
        this(System::nanoTime);
    }

    /** Makes one that goes by another clock, for tests. */
    Secrets(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    String make() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        try (var held = lock.hold()) {
            if (made.size() == MOST) {
                made.remove(made.keySet().iterator().next());
            }
            made.put(secret, nanoTime.getAsLong());
        }
        return secret;
    }

    boolean has(@Nullable String secret) {
        if (secret == null) {
            return false;
        }
        try (var held = lock.hold()) {
            Long at = made.get(secret);
            return at != null && nanoTime.getAsLong() - at < LIFE_NANOS;
        }
    }
}
