package io.belay.simulation;

import java.util.List;

/** Everything that is left to chance, drawn from a seed: SplitMix64 (Steele, Lea and Flood, 2014). */
final class Dice {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private long state;

    Dice(long seed) {
        state = seed;
    }

    /** Draws any number. */
    long next() {
        state += GAMMA;
        return mix(state);
    }

    static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** Draws dice of their own, which others do not disturb. */
    Dice split() {
        return new Dice(next());
    }

    /** Draws a number from 0 to the bound, which it never is. */
    int below(int bound) {
        return (int) ((next() >>> 33) * bound >>> 31);
    }

    /** Draws a number from the first to the last. */
    long between(long first, long last) {
        return first + Long.remainderUnsigned(next(), last - first + 1);
    }

    /** Draws a number from the first, which is positive, to the last, so that each order of magnitude is as likely. */
    long magnitude(long first, long last) {
        int from = 63 - Long.numberOfLeadingZeros(first);
        int to = 63 - Long.numberOfLeadingZeros(last);
        long low = 1L << between(from, to);
        return Math.min(last, Math.max(first, low + Long.remainderUnsigned(next(), low)));
    }

    /** Says yes once in so many times. */
    boolean onceIn(int times) {
        return below(times) == 0;
    }

    /** Draws one of these. */
    <T> T of(List<T> all) {
        return all.get(below(all.size()));
    }

    @SafeVarargs
    final <T> T of(T... all) {
        return all[below(all.length)];
    }
}
