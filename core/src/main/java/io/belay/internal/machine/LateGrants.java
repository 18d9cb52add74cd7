package io.belay.internal.machine;

import io.belay.internal.time.BackOff;

/**
 * The grants in a row that were over before anybody could have the lock, as the way from the store took longer than the
 * lease, or the store or this process stood still. The claim is entered again after a pause that doubles, so that nobody
 * asks at full speed for what cannot be had.
 */
final class LateGrants {
    private static final BackOff PAUSE = new BackOff(1_000_000_000);

    /** With so many in a row, none of which came too late for a request, it is the lease that is too short. */
    private static final int HOPELESS = 10;

    private int count;
    private int onTheWay;
    /** The text that is told of them. */
    String text = "";

    /** The instant until which nobody is to ask again. */
    long pausedUntil;

    /**
     * Notes one of that lock whose request was sent so many nanoseconds ago; the lease and the request timeout are in nanoseconds
     * as well.
     */
    void came(String name, long way, long lease, long now, long requestTimeout) {
        text = "The lock '" + name + "' was granted, but "
                + (way > lease
                        ? "its lease of " + lease / 1_000_000
                                + " ms was over before the grant was here: the way to the store and back took "
                                + way / 1_000_000 + " ms. Take a longer lease, or find out what stands still"
                        : "the grant could not be taken up in time: this machine or the store is overloaded or stood still, or"
                                + " a clock was put ahead");
        onTheWay = way > lease && way <= requestTimeout ? onTheWay + 1 : 0;
        pausedUntil = now + PAUSE.after(count);
        count++;
    }

    boolean isPausing(long now) {
        return now - pausedUntil < 0;
    }

    /** Returns whether all waits for the lock are in vain. */
    boolean isHopeless() {
        return onTheWay >= HOPELESS;
    }
}
