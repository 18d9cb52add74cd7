package io.belay.trials.jsr166;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the tests are run on, and in which ways.
 *
 * @param all the stores, each with one way
 * @param skipped what cannot be run here and was not asked for by name, a line each that says why
 */
record Settings(List<Setting> all, List<String> skipped) {
    /** The stores on which all ways are tried unless some are named: the fastest, and one that is reached by a network. */
    private static final List<String> IN_ALL_WAYS = List.of("memory", "redis");

    /**
     * Reads names. No stores mean all that this machine has, and no ways the default one on each of them and the others on
     * two of them.
     *
     * @throws IllegalArgumentException if there is no such store or way, or one that is named cannot be run here
     */
    static Settings of(List<String> stores, List<String> ways) {
        List<String> skipped = new ArrayList<>();
        Set<String> usable = new LinkedHashSet<>();
        for (String store : stores.isEmpty() ? TestStore.NAMES : stores) {
            if (!TestStore.NAMES.contains(store)) {
                throw new IllegalArgumentException(
                        "no store '" + store + "'; there are: " + String.join(", ", TestStore.NAMES));
            }
            if (isUsable("--store " + store, TestStore.whyNot(store), !stores.isEmpty(), skipped)) {
                usable.add(store);
            }
        }
        Set<Way> chosen = new LinkedHashSet<>();
        for (String title : ways.isEmpty() ? Way.titles() : ways) {
            Way way = Way.of(title)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no way '" + title + "'; there are: " + String.join(", ", Way.titles())));
            if (isUsable("--with " + title, way.whyNot(), !ways.isEmpty(), skipped)) {
                chosen.add(way);
            }
        }
        List<Setting> all = new ArrayList<>();
        for (String store : usable) {
            for (Way way : chosen) {
                if (!ways.isEmpty() || way == Way.DEFAULT || IN_ALL_WAYS.contains(store)) {
                    all.add(new Setting(store, way));
                }
            }
        }
        return new Settings(all, skipped);
    }

    private static boolean isUsable(String option, Optional<String> whyNot, boolean asked, List<String> skipped) {
        whyNot.ifPresent(why -> {
            if (asked) {
                throw new IllegalArgumentException(option + ": " + why);
            }
            skipped.add("skipped " + option + ": " + why);
        });
        return whyNot.isEmpty();
    }
}
