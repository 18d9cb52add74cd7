package io.belay.internal.claim;

import io.belay.BelayOptions;
import org.jspecify.annotations.Nullable;

/**
 * The interval at which waiters ask the store, where the user set one.
 *
 * @param interval the time between two requests, in nanoseconds
 * @param spread how much more or less the interval may be, in nanoseconds
 */
record Polling(long interval, long spread) {
    static @Nullable Polling of(BelayOptions options) {
        return options.polling()
                .map(interval -> new Polling(interval.toNanos(), (long) (interval.toNanos() * options.pollingJitter())))
                .orElse(null);
    }

    /** Returns when to ask after a request at that instant: always the same, however often this is called. */
    long after(long asked) {
        long mixed = (asked ^ asked >>> 33) * 0xff51afd7ed558ccdL;
        return asked + interval - spread + Long.remainderUnsigned(mixed ^ mixed >>> 29, 2 * spread + 1);
    }
}
