package io.belay.trials.jsr166;

import java.util.Optional;

/**
 * The meaning of an outcome, measured by what is declared.
 *
 * @param kind whether all is well
 * @param why what is wrong, or which difference it is; empty if the test passed
 */
record Verdict(Kind kind, String why) {
    /** The three that are counted. */
    enum Kind {
        PASSED,
        DECLARED,
        FAILED
    }

    static Verdict of(Outcome outcome) {
        Optional<Difference> declared = Difference.of(outcome.test(), outcome.method());
        boolean either = outcome.passed() && Difference.mayPass(outcome.test(), outcome.method());
        if (declared.isEmpty() || either) {
            return outcome.passed() ? new Verdict(Kind.PASSED, "") : new Verdict(Kind.FAILED, outcome.message());
        }
        Difference difference = declared.get();
        if (outcome.passed()) {
            return new Verdict(
                    Kind.FAILED, "passes, though it is declared not to: take it off the table (" + difference + ")");
        }
        return difference.explains(outcome.message())
                ? new Verdict(Kind.DECLARED, difference.reason())
                : new Verdict(Kind.FAILED, "fails otherwise than declared (" + difference + "): " + outcome.message());
    }
}
