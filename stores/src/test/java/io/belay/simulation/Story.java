package io.belay.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What happened, in words; nothing is put into words unless somebody wants to read it. */
final class Story {
    private final boolean wanted;
    private final List<String> lines = new ArrayList<>();

    Story(boolean wanted) {
        this.wanted = wanted;
    }

    boolean isWanted() {
        return wanted;
    }

    void tell(Scheduler scheduler, Object who, Supplier<String> what) {
        if (wanted) {
            lines.add(String.format(
                    Locale.ROOT, "%6d %14.6f s  %-12s %s", scheduler.steps(), scheduler.now() / 1e9, who, what.get()));
        }
    }

    List<String> lines() {
        return lines;
    }
}
