package io.belay.spi;

/**
 * A fact that {@link StoreProvider#examine(String)} saw in a store, as {@code BelayAdmin.examine} returns it to users. Like a
 * message, it holds no secret.
 */
public sealed interface Finding permits FindingValue {
    /** The severity of a finding, the worst first. */
    enum Severity {
        /** Locks may have two holders, or vanish. */
        DANGER,
        /** Locks may fail, or others may tamper with them. */
        WARNING,
        /** The fact is good to know, and fine for many uses. */
        NOTE
    }

    /** Makes a finding; what each part is, the methods below say. */
    static Finding of(Severity severity, String subject, String finding, String cure) {
        return new FindingValue(severity, subject, finding, cure);
    }

    /** Returns how bad it is. */
    Severity severity();

    /** Returns what it is about, in a word or two. */
    String subject();

    /** Returns what was seen, in one sentence. */
    String finding();

    /** Returns what to do about it, in one sentence. */
    String cure();
}
