package io.belay.spi;

import java.util.Objects;

/**
 * A fact that {@link StoreProvider#examine(String)} saw in a store, as {@code BelayAdmin.examine} returns it to users. Like a
 * message, it holds no secret.
 *
 * @param severity how bad it is
 * @param subject what it is about, in a word or two
 * @param finding what was seen, in one sentence
 * @param cure what to do about it, in one sentence
 */
public record Finding(Severity severity, String subject, String finding, String cure) {
    public Finding {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(finding, "finding");
        Objects.requireNonNull(cure, "cure");
    }

    /** The severity of a finding, the worst first. */
    public enum Severity {
        /** Locks may have two holders, or vanish. */
        DANGER,
        /** Locks may fail, or others may tamper with them. */
        WARNING,
        /** The fact is good to know, and fine for many uses. */
        NOTE
    }
}
