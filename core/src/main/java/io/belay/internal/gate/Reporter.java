package io.belay.internal.gate;

import io.belay.Inspection;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.SlowWait;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.Shown;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The reports of waits and holds that last too long: who has the lock, who is ahead, and what the waiter itself holds. The
 * store is asked once for all waits of a lock that are found slow at a time, and what this client holds is looked through
 * once for all that is to be told by then, on a thread that nobody waits for.
 */
final class Reporter {
    private static final String SLOW_WAIT = "slow wait";

    private record Slow(List<Hold> waiters, Store.@Nullable Snapshot seen) {}

    private final Gates gates;
    private final Engine engine;
    private final Queue<Slow> untold = new ConcurrentLinkedQueue<>();

    Reporter(Gates gates) {
        this.gates = gates;
        engine = gates.engine();
    }

    /** Tells that waits for one lock are slow. */
    void slowWaits(List<Hold> waiters) {
        String name = waiters.get(0).gate.name();
        if (waiters.stream().noneMatch(waiter -> engine.events().isHeard(kind(waiter), name))) {
            return; // the store is not asked for nobody
        }
        engine.inspect(name).whenComplete((seen, error) -> {
            untold.add(new Slow(waiters, error == null ? seen : null));
            engine.callbacks().report(this::report);
        });
    }

    /** Returns the kind of line: a wait that is told again is no repetition, however soon after others. */
    private static String kind(Hold waiter) {
        return SLOW_WAIT + " " + waiter.told;
    }

    private void report() {
        List<Slow> slow = new ArrayList<>();
        for (Slow next = untold.poll(); next != null; next = untold.poll()) {
            slow.add(next);
        }
        Set<Thread> threads = new HashSet<>();
        slow.forEach(one -> one.waiters().forEach(waiter -> threads.add(waiter.thread())));
        if (!threads.isEmpty()) {
            Map<Thread, List<OwnHold>> holds = gates.holdsOf(threads);
            slow.forEach(one -> report(one, holds));
        }
    }

    private void report(Slow slow, Map<Thread, List<OwnHold>> holds) {
        String name = slow.waiters().get(0).gate.name();
        Store.Snapshot seen = slow.seen();
        List<Inspection.Claim> ahead =
                seen == null ? List.of() : Inspections.of(gates, name, seen).claims();
        for (Hold waiter : slow.waiters()) {
            if (waiter.isPending()) { // else it ended meanwhile
                OwnWait wait = Gates.wait(waiter, engine.time().nanos());
                List<OwnHold> own = holds.getOrDefault(waiter.thread(), List.of());
                SlowWait told = new Shown.LongWait(wait, ahead, own);
                engine.events().slow(kind(waiter), name, ReportText.of(told, seen != null, waiter.silence));
                engine.events().tell(to -> to.slowWait(told));
            }
        }
    }

    void longHold(Hold hold) {
        OwnHold shown = Gates.shown(hold, engine.time().nanos());
        engine.events()
                .warn(
                        "long hold",
                        hold.name(),
                        "The lock '" + hold.name() + "' (token " + hold.token() + ") has been held for "
                                + shown.held().toMillis() + " ms by " + ReportText.who(shown.thread(), shown.behalf()));
        engine.events().tell(to -> to.longHold(shown));
    }
}
