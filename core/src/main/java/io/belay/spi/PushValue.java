package io.belay.spi;

import java.util.Objects;

/** The record behind a push; only this package makes one. */
record PushValue(
        String resource,
        ClaimId id,
        long sequence,
        boolean granted,
        boolean wanted,
        long time,
        long deadline,
        long server)
        implements Push {
    PushValue {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(id, "id");
        AnswerValue.check("sequence", sequence);
        AnswerValue.check("time", time);
        AnswerValue.check("deadline", deadline);
    }
}
