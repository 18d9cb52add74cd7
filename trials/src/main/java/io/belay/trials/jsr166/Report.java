package io.belay.trials.jsr166;

import io.belay.trials.jsr166.Verdict.Kind;
import java.util.ArrayList;
import java.util.List;

/** Counts the outcomes of all tests on all stores and in all ways, and puts them in lines. */
final class Report {
    private static final double MILLIS = 1000.0;

    private record Judged(Setting setting, Outcome outcome, Verdict verdict) {}

    private final List<Judged> all = new ArrayList<>();

    void add(Setting setting, Outcome outcome) {
        all.add(new Judged(setting, outcome, Verdict.of(outcome)));
    }

    boolean isClean() {
        return count(all, Kind.FAILED) == 0;
    }

    /** Says the figures of one test in one setting. */
    String line(Setting setting, JdkTest test) {
        List<Judged> some = all.stream()
                .filter(one -> one.setting().equals(setting) && one.outcome().test() == test)
                .toList();
        long millis = some.stream().mapToLong(one -> one.outcome().millis()).sum();
        return String.format("%-22s %-27s %s in %.1f s", setting.title(), test.title(), figures(some), millis / MILLIS);
    }

    /** Says the figures of one setting, its declared tests by their reasons, and all that failed. */
    List<String> lines(Setting setting) {
        List<Judged> some =
                all.stream().filter(one -> one.setting().equals(setting)).toList();
        List<String> lines = new ArrayList<>();
        lines.add(setting.title() + ": " + figures(some));
        for (Difference difference : Difference.values()) {
            long count = some.stream()
                    .filter(one -> one.verdict().kind() == Kind.DECLARED)
                    .filter(one -> one.verdict().why().equals(difference.reason()))
                    .count();
            if (count > 0) {
                lines.add(String.format("  %4d declared: %s", count, difference.reason()));
            }
        }
        for (Judged one : some) {
            if (one.verdict().kind() == Kind.FAILED) {
                lines.add("  FAILED " + one.outcome().name() + ": "
                        + one.verdict().why());
            }
        }
        return lines;
    }

    private static String figures(List<Judged> some) {
        return count(some, Kind.PASSED) + " passed, " + count(some, Kind.DECLARED) + " declared, "
                + count(some, Kind.FAILED) + " FAILED";
    }

    private static long count(List<Judged> some, Kind kind) {
        return some.stream().filter(one -> one.verdict().kind() == kind).count();
    }
}
