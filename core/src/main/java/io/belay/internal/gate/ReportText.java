package io.belay.internal.gate;

import io.belay.Inspection;
import io.belay.OwnWait;
import io.belay.SlowWait;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The lines about waits that last too long. However much there is to tell of, a line stays one that can be read. */
final class ReportText {
    /** The most that a line lists. */
    private static final int LISTED = 10;

    private ReportText() {}

    static String who(String thread, String behalf) {
        return "thread " + thread + (behalf.isEmpty() ? "" : " for " + behalf);
    }

    private static String holder(Inspection.Claim claim) {
        String whose = claim.own() ? "this client" : "client " + claim.client();
        return whose + " (process " + claim.process() + " on " + claim.host() + ", "
                + who(claim.thread().isEmpty() ? "none" : claim.thread(), claim.behalf()) + ", token " + claim.token()
                + claim.held().map(held -> ", for " + held.toMillis() + " ms").orElse("") + ")";
    }

    /**
     * Returns the line about a slow wait.
     *
     * @param known whether the store told who has the lock
     * @param failure why the waiter's own request fails, as the end of a sentence; empty if it does not
     */
    static String of(SlowWait slow, boolean known, String failure) {
        OwnWait wait = slow.waiter();
        List<Inspection.Claim> holding =
                slow.ahead().stream().filter(claim -> claim.place() == 0).toList();
        String holders = list("; ", holding, ReportText::holder);
        long ahead = slow.ahead().stream()
                .filter(claim -> claim.place() > 0 && !claim.own())
                .count();
        String own = list(", ", slow.holds(), hold -> "'" + hold.name() + "' (token " + hold.token() + ")");
        return who(wait.thread(), wait.behalf()) + " has waited for the lock '" + wait.name() + "' for "
                + wait.waited().toMillis() + " ms. "
                + (!known
                        ? "The store does not say who has it"
                        : holders.isEmpty() ? "Nobody has it" : "Held by " + holders)
                + (failure.isEmpty() ? "" : ". Its request is not answered" + failure)
                + (ahead == 0 ? "" : ". Clients that wait, too: " + ahead)
                + (own.isEmpty() ? "" : ". The waiter itself holds " + own);
    }

    private static <T> String list(String between, List<T> all, Function<T, String> text) {
        int more = all.size() - LISTED;
        return all.stream().limit(LISTED).map(text).collect(Collectors.joining(between))
                + (more > 0 ? String.format(Locale.ROOT, " and %,d more", more) : "");
    }
}
