package io.belay.internal.gate;

import io.belay.spi.Owner;
import java.util.Optional;

/**
 * What a claim that is held tells other clients of the one who holds it: that it waits. It travels with what the claim shows of its
 * owner.
 *
 * @param number tells the waits of a client apart
 * @param since when the wait began, in the store's microseconds
 * @param breaks whether the wait may end by a {@link io.belay.DeadlockException}
 * @param bound whether what the claim holds is given back by the one who waits, and by nobody else
 * @param waitsFor the lock that it waits for
 */
record WaitNote(long number, long since, boolean breaks, boolean bound, String waitsFor) {
    private static final String BETWEEN = "\u001f";

    String text() {
        String kind = (breaks ? "t" : "r") + (bound ? "b" : "");
        return String.join(BETWEEN, Long.toString(number, 36), Long.toString(since, 36), kind, waitsFor);
    }

    /** Reads what an owner's claim tells; empty if it tells nothing, or nothing of that kind. */
    static Optional<WaitNote> of(Owner owner) {
        String[] parts = owner.note().split(BETWEEN, 4);
        if (parts.length < 4 || parts[3].isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new WaitNote(
                    Long.parseLong(parts[0], 36),
                    Long.parseLong(parts[1], 36),
                    parts[2].startsWith("t"),
                    parts[2].endsWith("b"),
                    parts[3]));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
