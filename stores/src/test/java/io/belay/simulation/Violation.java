package io.belay.simulation;

/**
 * A promise that was broken.
 *
 * @param oracle which
 * @param what what happened
 */
record Violation(Oracle oracle, String what) {
    @Override
    public String toString() {
        return oracle + ": " + what;
    }
}
