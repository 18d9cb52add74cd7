package io.belay.internal;

import io.belay.BelayOptions;
import org.jspecify.annotations.Nullable;

/**
 * How often those who wait ask, where the user said so.
 *
 * @param interval the time between two requests, in nanoseconds
 * @param spread how much more or less it may be, in nanoseconds
 */
record Polling(long interval, long spread) {
    static @Nullable Polling of(BelayOptions options) {
        return options.polling()
                .map(interval -> new Polling(interval.toNanos(), (long) (interval.toNanos() * options.pollingJitter())))
                .orElse(null);
    }

    /** When to ask after a request at that instant: always the same, however often it is asked. */
    long after(long asked) {
        long mixed = (asked ^ asked >>> 33) * 0xff51afd7ed558ccdL;
        return asked + interval - spread + Long.remainderUnsigned(mixed ^ mixed >>> 29, 2 * spread + 1);
    }
}
