package io.belay.redis;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server that locks can be kept on, or cannot, or somebody who rents out such servers.
 *
 * @param name what it is called
 * @param mark what a line of its INFO has in it; empty if nothing tells it from others
 * @param rules what it does not let clients do, by the words of {@code docs/redis-providers.md}
 * @param verdict whether locks work there
 * @param eviction the policy that it comes with
 * @param changeable whether that can be changed: yes, no or not known
 * @param tried what was tried on what
 */
record Provider(
        String name,
        Optional<Pattern> mark,
        Set<String> rules,
        Verdict verdict,
        String eviction,
        String changeable,
        String tried) {
    /** The list, in the order in which it is shown. */
    static final List<Provider> ALL = load();

    /** A verdict on locks there. */
    enum Verdict {
        /** Everything works. */
        WORKS,
        /** Something is done in another way, or is not there. */
        LIMITED,
        /** No client is let in. */
        REFUSED
    }

    private static List<Provider> load() {
        return Scripts.resource("providers.tsv")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(Provider::parse)
                .toList();
    }

    private static Provider parse(String line) {
        String[] fields = line.split("\t", -1);
        return new Provider(
                fields[0],
                fields[1].equals("-") ? Optional.empty() : Optional.of(Pattern.compile(fields[1])),
                fields[2].equals("-") ? Set.of() : Set.of(fields[2].split(",")),
                Verdict.valueOf(fields[3].toUpperCase(Locale.ROOT)),
                fields[4],
                fields[5],
                fields[6]);
    }

    /** Returns the one that a server says to be; of several the worst. */
    static Optional<Provider> of(ServerInfo server) {
        return ALL.stream()
                .filter(provider -> provider.mark().filter(server::hasLineLike).isPresent())
                .max(Comparator.comparing(Provider::verdict));
    }

    /** Returns all rules that somebody has. */
    static Stream<Set<String>> ruleSets() {
        return ALL.stream()
                .map(Provider::rules)
                .filter(rules -> !rules.isEmpty())
                .distinct();
    }
}
