package io.belay.cli.doctor;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.cli.text.Json;
import io.belay.cli.text.UrlOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The times that a store took to answer requests which change nothing there.
 *
 * @param nanos one for each request, the shortest first
 * @param obstacle why there are no more of them; empty if all were answered
 */
record RoundTrips(long[] nanos, String obstacle) {
    private static final int REQUESTS = 50;

    /** The first requests, which load classes, statements and scripts, and do not count; of a store that is very slow the first alone. */
    private static final int WARM_UP = 10;

    /** The longest to go on asking: a store that is far away is measured by fewer requests. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    RoundTrips {
        Arrays.sort(nanos);
    }

    /** Asks a store for a lock that nobody has. */
    static RoundTrips of(String url) {
        String nobodys = "belay-doctor-" + UUID.randomUUID();
        try (Belay belay = Belay.connect(
                UrlOptions.forLooking(url), BelayOptions.defaults().withClientName("doctor"))) {
            return measure(() -> belay.admin().inspect(nobodys), System::nanoTime);
        } catch (BelayException e) {
            return new RoundTrips(new long[0], String.valueOf(e.getMessage()));
        }
    }

    static RoundTrips measure(Runnable request, LongSupplier clock) {
        long[] nanos = new long[WARM_UP + REQUESTS];
        int answered = 0;
        String obstacle = "";
        long begin = clock.getAsLong();
        try {
            while (answered < nanos.length && clock.getAsLong() - begin < LONGEST.toNanos()) {
                long before = clock.getAsLong();
                request.run();
                nanos[answered++] = clock.getAsLong() - before;
            }
        } catch (BelayException e) {
            obstacle = String.valueOf(e.getMessage());
        }
        boolean slow = answered <= WARM_UP && obstacle.isEmpty();
        int uncounted = slow && answered > 0 ? Math.min(1, answered - 1) : Math.min(WARM_UP, answered);
        return new RoundTrips(Arrays.copyOfRange(nanos, uncounted, answered), obstacle);
    }

    boolean isEmpty() {
        return nanos.length == 0;
    }

    long median() {
        return nanos[nanos.length / 2];
    }

    long worst() {
        return nanos[nanos.length - 1];
    }

    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("requests", nanos.length);
        if (!isEmpty()) {
            object.put("bestMillis", millis(nanos[0]));
            object.put("medianMillis", millis(median()));
            object.put("worstMillis", millis(worst()));
        }
        if (!obstacle.isEmpty()) {
            object.put("obstacle", obstacle);
        }
        return object;
    }

    private static double millis(long nanos) {
        return Json.round(nanos / 1e6);
    }
}
