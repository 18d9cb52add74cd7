package io.belay.internal.machine;

import java.util.List;
import java.util.Objects;

/** Who waits for the store's next answer about a claim, which only this package can tell. */
public final class Askers {
    private Askers() {}

    public static List<Caller.Ticket> of(Stay stay) {
        return List.copyOf(Objects.requireNonNullElse(stay.askers, List.of()));
    }
}
