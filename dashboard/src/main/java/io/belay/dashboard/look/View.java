package io.belay.dashboard.look;

import io.belay.support.NameRules;

/**
 * What a page shows of the store. Pages that show the same share one text.
 *
 * @param search what the names of the listed locks begin with; empty for all
 * @param open the lock whose claims are shown; empty for none
 */
public record View(String search, String open) {
    /** The list of all locks. */
    public static final View ALL = new View("", "");

    /** Returns whether there may be such names: what the store refuses to be asked for counts as no answer, for all pages. */
    public boolean isPossible() {
        return NameRules.isVisible(search) && NameRules.isVisible(open);
    }
}
