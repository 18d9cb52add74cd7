package io.belay.trials.client;

import java.util.Random;

/** The times for which threads hold and rest. */
final class Pace {
    private static final int LONGEST_HOLD_MILLIS = 60;
    private static final int ONE_LONG_IN = 15;
    private static final int LONG_HOLD_MILLIS = 2500;
    private static final int LOOK_EVERY_MILLIS = 10;
    private static final int BRIEF_HOLD_MILLIS = 3;
    private static final int LONGEST_REST_MILLIS = 10;

    private Pace() {}

    /** Holds for a while, and asks the library now and then whether the lock is still held. */
    static void hold(Holding holding, Random random) throws InterruptedException {
        holding.look();
        boolean isLong = holding.isRenewed() && random.nextInt(ONE_LONG_IN) == 0;
        hold(holding, random.nextInt(isLong ? LONG_HOLD_MILLIS : LONGEST_HOLD_MILLIS));
    }

    /** Holds for so many milliseconds, and asks as often. */
    static void hold(Holding holding, long millis) throws InterruptedException {
        for (long left = millis; left > 0; left -= LOOK_EVERY_MILLIS) {
            Thread.sleep(Math.min(left, LOOK_EVERY_MILLIS));
            holding.look();
        }
    }

    /** Holds for a moment. */
    static void holdBriefly(Random random) throws InterruptedException {
        Thread.sleep(random.nextInt(BRIEF_HOLD_MILLIS));
    }

    static void rest(Random random) throws InterruptedException {
        Thread.sleep(random.nextInt(LONGEST_REST_MILLIS));
    }
}
