package io.belay.internal.time;

/** The pause before something is asked for once more, which doubles each time it was in vain, up to a longest one. */
public record BackOff(long longest) {
    private static final long FIRST = 20_000_000;

    /** Returns the pause, in nanoseconds, after so many attempts were in vain before the last one. */
    public long after(int before) {
        return Math.min(longest, FIRST << Math.min(before, 10));
    }
}
