package io.belay.internal.gate;

import io.belay.Inspection;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.SlowWait;
import io.belay.internal.claim.Engine;
import io.belay.spi.Store;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reports of waits and holds that last too long: who has the lock, who is ahead, and what the waiter itself holds. */
final class Reporter {
    private static final String SLOW_WAIT = "slow wait";

    private final Gates gates;
    private final Engine engine;

    Reporter(Gates gates) {
        this.gates = gates;
        engine = gates.engine();
    }

    void slowWait(Waiter waiter) {
        if (!engine.events().isHeard(SLOW_WAIT, waiter.gate.name())) {
            return; // the store is not asked for nobody
        }
        // On a thread for notices: to look at all that is held may take a while, and a store's thread has no time for
        // that.
        engine.inspect(waiter.gate.name())
                .whenComplete((seen, error) ->
                        engine.callbacks().tell(() -> report(waiter, error == null ? seen : null)));
    }

    private void report(Waiter waiter, Store.@Nullable Snapshot seen) {
        if (waiter.outcome() != null) {
            return; // it ended meanwhile
        }
        OwnWait wait = Gates.shown(waiter, engine.time().nanos());
        List<OwnHold> holds = gates.holds().stream()
                .filter(hold -> wait.behalf().isEmpty()
                        ? hold.thread().equals(wait.thread())
                        : hold.behalf().equals(wait.behalf()))
                .toList();
        List<Inspection.Claim> ahead = seen == null
                ? List.of()
                : Inspections.of(gates, waiter.gate.name(), seen).claims();
        SlowWait slow = new SlowWait(wait, ahead, holds);
        engine.events().warn(SLOW_WAIT, wait.name(), text(slow, seen != null));
        engine.events().tell(to -> to.slowWait(slow));
    }

    void longHold(Hold hold) {
        OwnHold shown = Gates.shown(hold, engine.time().nanos());
        engine.events()
                .warn(
                        "long hold",
                        hold.name(),
                        "The lock '" + hold.name() + "' (token " + hold.token() + ") has been held for "
                                + shown.held().toMillis() + " ms by " + who(shown.thread(), shown.behalf()));
        engine.events().tell(to -> to.longHold(shown));
    }

    private static String who(String thread, String behalf) {
        return "thread " + thread + (behalf.isEmpty() ? "" : " for " + behalf);
    }

    private static String holder(Inspection.Claim claim) {
        String whose = claim.own() ? "this client" : "client " + claim.client();
        return whose + " (process " + claim.process() + " on " + claim.host() + ", "
                + who(claim.thread().isEmpty() ? "none" : claim.thread(), claim.behalf()) + ", token " + claim.token()
                + claim.held().map(held -> ", for " + held.toMillis() + " ms").orElse("") + ")";
    }

    private static String text(SlowWait slow, boolean known) {
        OwnWait wait = slow.waiter();
        String holders = slow.ahead().stream()
                .filter(claim -> claim.place() == 0)
                .map(Reporter::holder)
                .collect(Collectors.joining("; "));
        long ahead = slow.ahead().stream()
                .filter(claim -> claim.place() > 0 && !claim.own())
                .count();
        return who(wait.thread(), wait.behalf()) + " has waited for the lock '" + wait.name() + "' for "
                + wait.waited().toMillis() + " ms. "
                + (!known
                        ? "The store does not say who has it"
                        : holders.isEmpty() ? "Nobody has it" : "Held by " + holders)
                + (ahead == 0 ? "" : ". Clients that wait, too: " + ahead)
                + (slow.holds().isEmpty()
                        ? ""
                        : ". The waiter itself holds "
                                + slow.holds().stream()
                                        .map(hold -> "'" + hold.name() + "' (token " + hold.token() + ")")
                                        .collect(Collectors.joining(", ")));
    }
}
