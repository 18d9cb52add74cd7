package io.belay.dashboard.look;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rounds through all names of a store. Where these are few each reading is a round; else it is a part of one. For one thread.
 */
final class Sweep {
    /** The most names that are read in each reading. */
    static final int SMALL = 1_000;

    /** The names that a reading goes through where there are more: with the pages of names below 500 requests a second. */
    static final int PART = 250;

    private final Supplier<Stream<String>> names;
    private @Nullable Iterator<String> round;
    private int rounds;
    private int passed;
    private int size = -1;

    /** @param names lists all names, in no order */
    Sweep(Supplier<Stream<String>> names) {
        this.names = names;
    }

    /** Returns the next names to read; afterwards {@link #ended} tells whether they were the last of a round. */
    List<String> next() {
        if (round == null) {
            round = names.get().iterator();
            passed = 0;
        }
        int most = isLarge() ? PART : SMALL;
        List<String> next = new ArrayList<>();
        while (next.size() < most && round.hasNext()) {
            next.add(round.next());
        }
        passed += next.size();
        if (!round.hasNext()) {
            round = null;
            rounds++;
            size = passed;
        }
        return next;
    }

    /** Begins a round anew, as the store did not tell its names. */
    void restart() {
        round = null;
    }

    boolean ended() {
        return round == null;
    }

    /** Returns how many rounds have ended. */
    int rounds() {
        return rounds;
    }

    /** Returns whether a round takes several readings. */
    boolean isLarge() {
        return size > SMALL || (round != null && passed >= SMALL);
    }

    /** Returns how many names this round has passed so far. */
    int passed() {
        return passed;
    }

    /** Returns how many names there were in the last round; -1 before the first has ended. */
    int size() {
        return size;
    }
}
