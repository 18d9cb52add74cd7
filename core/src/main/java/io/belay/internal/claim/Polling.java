package io.belay.internal.claim;

import io.belay.BelayOptions;
import io.belay.spi.Resource;

/**
 * The interval at which waiters ask the store: the user's, or that while pushes do not get through.
 *
 * @param interval the time between two requests, in nanoseconds
 * @param spread how much more or less the interval may be, in nanoseconds
 */
record Polling(long interval, long spread) {
    /** The interval where the user set none: less than a grant's pick-up time. */
    private static final Polling UNASKED = new Polling(Resource.PICK_UP * 1000 / 3, 0);

    static Polling of(BelayOptions options) {
        return options.polling()
                .map(interval -> new Polling(interval.toNanos(), (long) (interval.toNanos() * options.pollingJitter())))
                .orElse(UNASKED);
    }

    /** Returns when to ask after a request at that instant: always the same, however often this is called. */
    long after(long asked) {
        long mixed = (asked ^ asked >>> 33) * 0xff51afd7ed558ccdL;
        return asked + interval - spread + Long.remainderUnsigned(mixed ^ mixed >>> 29, 2 * spread + 1);
    }
}
