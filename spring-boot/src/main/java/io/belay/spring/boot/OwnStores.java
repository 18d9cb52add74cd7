package io.belay.spring.boot;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The choice among the stores that an application has already. */
record OwnStores(List<OwnStore> all) {
    OwnStores {
        all = List.copyOf(all);
    }

    /**
     * Returns the one to use.
     *
     * @param wanted the one that the properties name; null if they do not
     * @throws SetupException if there is none, or several and no choice
     */
    OwnStore chosen(BelayProperties.@Nullable Store wanted) {
        List<OwnStore> candidates = all.stream()
                .filter(store -> wanted == null || store.kind() == wanted)
                .toList();
        List<OwnStore> usable = candidates.stream().filter(OwnStore::present).toList();
        if (usable.size() == 1) {
            return usable.get(0);
        } else if (usable.size() > 1) {
            throw new SetupException(
                    "Locks can be kept in " + places(usable, " or in ") + ", and nothing says where.",
                    "Set " + usable.stream().map(OwnStores::property).collect(Collectors.joining(" or "))
                            + ", or belay.url.");
        }
        Optional<OwnStore> lacking = candidates.stream().findFirst();
        if (lacking.isPresent()) {
            throw new SetupException(
                    "Locks could be kept in " + places(candidates, " or in ")
                            + ", but the module of Belay for it is not there.",
                    // Without a group: who publishes a build of their own has another one.
                    "Add the dependency "
                            + candidates.stream().map(OwnStore::artifact).collect(Collectors.joining(" or "))
                            + ", or set belay.url.");
        }
        throw new SetupException(
                wanted == null
                        ? "There is no store for locks: the application has no database, Redis or MongoDB of its own, and"
                                + " belay.url is not set."
                        : "There is no store for locks: " + "belay.store=" + name(wanted)
                                + " is set, but the application has none of that kind.",
                "Set belay.url, such as redis://localhost or file:/var/lib/shop/locks; for tests memory:test.");
    }

    private static String places(List<OwnStore> stores, String between) {
        return stores.stream().map(OwnStore::place).collect(Collectors.joining(between));
    }

    private static String property(OwnStore store) {
        return "belay.store=" + name(store.kind());
    }

    private static String name(BelayProperties.Store kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
