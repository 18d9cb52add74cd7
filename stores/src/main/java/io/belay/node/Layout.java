package io.belay.node;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/**
 * The layout of a service's nodes: how they are named and what they say. Two layouts never share locks, as each would
 * pass over the other's claims. A node of its own, the marker, has the layout as its value. A store without a marker is
 * in this layout, too.
 */
public final class Layout {
    private static final String KNOWN = "1";

    /** The most characters of a marker that a message shows; what others have put there may be of any length. */
    private static final int LONGEST = 20;

    private Layout() {}

    /** Returns the value of a marker of this layout. */
    public static byte[] marker() {
        return KNOWN.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Returns why a store with such a marker is refused.
     *
     * @param marker the value that was found
     * @param where what the marker is called in the store
     * @param other what to give locks that are to be apart: another prefix, or another path
     * @return what is behind the name of the store in a message; empty if this layout is the marker's
     */
    public static Optional<String> refusal(byte[] marker, String where, String other) {
        Objects.requireNonNull(marker, "marker");
        Objects.requireNonNull(where, "where");
        Objects.requireNonNull(other, "other");
        String found = new String(marker, StandardCharsets.UTF_8).strip();
        if (found.equals(KNOWN)) {
            return Optional.empty();
        }
        String shown = found.substring(0, Math.min(found.length(), LONGEST));
        return Optional.of(
                "keeps locks in layout '" + shown + "' by " + where + ", and this version of Belay knows layout "
                        + KNOWN + ": run one version of Belay, or give these locks " + other);
    }
}
