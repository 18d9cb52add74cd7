package io.belay.cli.doctor;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.util.List;

/** The verdict on a store, which its worst finding decides. */
enum Verdict {
    /** A lock was taken, and nothing was found but notes. */
    FIT("fit"),
    /** Nothing was found but notes, and no lock was taken. */
    UNTRIED("nothing found"),
    /** Something may fail, and does not break the promise by itself. */
    LIMITED("fit with limits"),
    /** Locks may have two holders there, or vanish. */
    UNFIT("unfit");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    /**
     * Decides.
     *
     * @param tried whether locks were taken
     */
    static Verdict of(List<Finding> findings, boolean tried) {
        return has(findings, Severity.DANGER)
                ? UNFIT
                : has(findings, Severity.WARNING) ? LIMITED : tried ? FIT : UNTRIED;
    }

    private static boolean has(List<Finding> findings, Severity severity) {
        return findings.stream().anyMatch(finding -> finding.severity() == severity);
    }

    /** Returns the verdict as users read it. */
    String words() {
        return words;
    }
}
