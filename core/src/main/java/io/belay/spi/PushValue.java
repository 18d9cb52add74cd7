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
    /** Makes the push to the owner of a claim, at once. */
    static Push of(String resource, Claim claim, boolean granted, boolean wanted, long time) {
        long deadline = granted ? claim.deadline() : 0;
        return new PushValue(resource, claim.id(), claim.sequence(), granted, wanted, time, deadline, 0);
    }

    PushValue {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(id, "id");
        if (((sequence | time | deadline) & AnswerValue.IMPOSSIBLE) != 0) {
            AnswerValue.check("sequence", sequence);
            AnswerValue.check("time", time);
            AnswerValue.check("deadline", deadline);
        }
    }
}
