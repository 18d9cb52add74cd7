package io.belay.cli.inspect;

import io.belay.Inspection;
import io.belay.Inspection.Claim;
import io.belay.cli.text.Text;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A lock in the list of all.
 *
 * @param name its full name
 * @param holders the claims that hold it
 * @param waiters how many wait, those inside clients counted too
 * @param oldestWait how long the first of those who wait in the store has waited
 * @param known whether the store told in time; if not, all but the name is unknown
 */
record LockRow(String name, List<Claim> holders, int waiters, Duration oldestWait, boolean known) {
    static final List<String> HEADER = List.of("NAME", "HOLDERS", "HELD BY", "HELD", "WAITERS", "OLDEST WAIT");

    /** The order in which people look: the locks that are waited for first, those of which nothing is known last. */
    static final Comparator<LockRow> ORDER = Comparator.comparing((LockRow row) -> !row.known)
            .thenComparingInt(row -> -row.waiters)
            .thenComparing(row -> row.holders.isEmpty())
            .thenComparing(LockRow::name);

    static LockRow of(Inspection seen) {
        List<Claim> holders =
                seen.claims().stream().filter(claim -> claim.place() == 0).toList();
        List<Claim> waiting =
                seen.claims().stream().filter(claim -> claim.place() > 0).toList();
        int inside = seen.claims().stream().mapToInt(Claim::localWaiters).sum();
        Duration oldest =
                waiting.stream().map(Claim::age).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
        return new LockRow(seen.name(), holders, waiting.size() + inside, oldest, true);
    }

    /** Returns a lock of which the store did not tell in time. */
    static LockRow unknown(String name) {
        return new LockRow(name, List.of(), 0, Duration.ZERO, false);
    }

    boolean isFree() {
        return known && holders.isEmpty() && waiters == 0;
    }

    private Optional<Duration> held() {
        return holders.stream().flatMap(claim -> claim.held().stream()).max(Comparator.naturalOrder());
    }

    List<String> cells() {
        if (!known) {
            return List.of(Text.printable(name), "?", "?", "?", "?", "?");
        }
        String more = holders.size() > 1 ? " and " + (holders.size() - 1) + " more" : "";
        return List.of(
                Text.printable(name),
                Integer.toString(holders.size()),
                holders.isEmpty() ? "-" : ClaimTable.who(holders.get(0)) + more,
                ClaimTable.seconds(held()),
                Integer.toString(waiters),
                waiters == 0 || oldestWait.isZero() ? "-" : ClaimTable.seconds(oldestWait));
    }

    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", name);
        object.put("known", known);
        object.put("holders", holders.stream().map(ClaimTable::json).toList());
        object.put("waiters", waiters);
        object.put("oldestWaitMillis", oldestWait.toMillis());
        return object;
    }
}
