package io.belay.dashboard.look;

/**
 * What a page shows of the store. Pages that show the same share one text.
 *
 * @param search what the names of the listed locks begin with; empty for all
 * @param open the lock whose claims are shown; empty for none
 */
public record View(String search, String open) {
    /** The list of all locks. */
    public static final View ALL = new View("", "");
}
