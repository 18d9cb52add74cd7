package io.belay.internal.gate;

import io.belay.BelayOptions;
import io.belay.Statistics;
import io.belay.support.Mutex;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The families of one client's locks, which are counted together: whoever watches the counts has a few of them to look at,
 * however many names there are. Thread-safe.
 */
public final class Families {
    /** The most families, and the most namespaces that are told apart. */
    private static final int MOST = 100;

    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private final UnaryOperator<String> function;
    final Map<String, Tally> all = new ConcurrentHashMap<>();
    private final Mutex adding = new Mutex();
    private final Set<String> namespaces = ConcurrentHashMap.newKeySet();

    Families(BelayOptions options) {
        function = options.families().orElse(this::firstPart);
    }

    /** Notes that names which begin like this, up to the colon at its end, belong to a namespace. */
    public void addNamespace(String prefix) {
        if (namespaces.size() < MOST) {
            namespaces.add(prefix);
        }
    }

    /** Returns the family of a lock; one that is one too many counts for {@link Statistics#OTHER}. */
    Tally of(String lock) {
        String name = name(lock);
        Tally family = all.get(name);
        return family != null ? family : add(name);
    }

    /** Adds a family if there is room for it, which many threads may find at a time; else returns the one of all others. */
    private Tally add(String name) {
        try (var held = adding.hold()) {
            String kept = all.size() < MOST ? name : Statistics.OTHER;
            return all.computeIfAbsent(kept, Tally::new);
        }
    }

    /** Returns the name of the family for which a lock is counted. */
    public String nameOf(String lock) {
        return of(lock).name;
    }

    /** Returns the name of a lock's family, of which nobody knows yet whether there is room for it. */
    String name(String lock) {
        try {
            String name = function.apply(lock);
            return name == null || name.isEmpty() ? Statistics.OTHER : name;
        } catch (Throwable e) { // it is the user's
            return Statistics.OTHER;
        }
    }

    /** Returns the namespace and the first part, of which a segment's number is none; nor is a UUID, which components make up. */
    private String firstPart(String lock) {
        int from = 0;
        for (String namespace : namespaces) {
            from = lock.startsWith(namespace) ? Math.max(from, namespace.length()) : from;
        }
        int to = from;
        while (to < lock.length() && lock.charAt(to) != ':' && !Character.isISOControl(lock.charAt(to))) {
            to++;
        }
        int mark = lock.lastIndexOf('#');
        boolean segment = to == lock.length()
                && mark > from
                && mark < to - 1
                && lock.chars().skip(mark + 1).allMatch(Character::isDigit);
        // By the length first: each acquisition of a lock that nobody else uses asks, and would pay for a matcher.
        boolean unique = to - from == 36 && UUID.matcher(lock).region(from, to).matches();
        return lock.substring(0, unique ? Math.max(0, from - 1) : segment ? mark : to);
    }
}
