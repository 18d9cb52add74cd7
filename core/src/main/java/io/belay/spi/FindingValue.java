package io.belay.spi;

import java.util.Objects;

/** The record behind a finding; only this package makes one. */
record FindingValue(Severity severity, String subject, String finding, String cure) implements Finding {
    FindingValue {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(finding, "finding");
        Objects.requireNonNull(cure, "cure");
    }
}
