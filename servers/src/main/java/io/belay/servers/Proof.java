package io.belay.servers;

/** How much is to be shown: {@code -Dbelay.proof=short} repeats less often what is repeated to be more certain. */
public final class Proof {
    private static final boolean SHORT = "short".equals(System.getProperty("belay.proof"));

    private Proof() {}

    /** Returns how often to repeat. */
    public static int times(int inShort, int inLong) {
        return SHORT ? inShort : inLong;
    }
}
