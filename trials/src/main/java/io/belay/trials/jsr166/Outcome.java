package io.belay.trials.jsr166;

/**
 * The end of a test.
 *
 * @param test its class
 * @param method its method, or {@code main}
 * @param passed whether it passed
 * @param millis how long it took
 * @param message why it failed
 */
record Outcome(JdkTest test, String method, boolean passed, long millis, String message) {
    private static final String TAB = "\t";

    String name() {
        return test.title() + "." + method;
    }

    /** Writes the outcome as a line. */
    String line() {
        return String.join(TAB, method, Boolean.toString(passed), Long.toString(millis), message);
    }

    /** Reads what {@link #line()} has made; the message has no tabs. */
    static Outcome of(JdkTest test, String line) {
        String[] parts = line.split(TAB, -1);
        return new Outcome(test, parts[0], Boolean.parseBoolean(parts[1]), Long.parseLong(parts[2]), parts[3]);
    }
}
