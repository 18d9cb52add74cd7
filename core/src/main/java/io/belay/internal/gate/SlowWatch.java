package io.belay.internal.gate;

import io.belay.Inspection;
import io.belay.OwnHold;
import io.belay.SlowWait;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.Shown;
import io.belay.internal.machine.Caller;
import io.belay.internal.machine.Machine;
import io.belay.internal.time.Timers;
import io.belay.internal.time.Workers;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The look at those who wait, or hold, for longer than the user thinks right: one timer for a whole client, which runs
 * while there is a gate to look at. Reported is who has the lock, who is ahead, and what the waiter itself holds. The store is asked
 * once for all waits of a lock that are found slow at a time, by whatever gates. What this client holds is looked through once for
 * all that is to be told by then, or to be looked at for deadlocks, on a thread that nobody waits for. Thread-safe.
 */
final class SlowWatch extends Timers.Timer {
    /** The shortest time between two looks, in nanoseconds. */
    private static final long SHORTEST = 20_000_000;

    /** The waits after which one that was told is told again, in nanoseconds. */
    private static final long[] AGAIN = {10_000_000_000L, 60_000_000_000L, 600_000_000_000L};

    /** Those who wait for a lock, with why the store does not answer, as the end of a sentence or empty; and what it has shown. */
    private record Slow(String name, Map<Hold, String> waiters, Store.@Nullable Snapshot seen) {}

    private final Gates gates;
    private final Engine engine;
    private final Queue<Slow> untold = new ConcurrentLinkedQueue<>();
    /** The instant of a gate that is to be looked at in any case. */
    private static final Long AT_ONCE = Long.MIN_VALUE;

    /** The gates that are looked at, each with the instant before which nothing is to be told of it; only its steps put that off. */
    final Map<Gate, Long> watched = new ConcurrentHashMap<>();
    /** Those who wait for so long that they are to be looked at for deadlocks, until that has begun. */
    private final Queue<Hold> suspects = new ConcurrentLinkedQueue<>();

    private final long period;

    /** The waits after which one is told, in nanoseconds. */
    private final long[] slowWaits;

    /** The time after which a hold is told, in nanoseconds; {@link Long#MAX_VALUE} for never. */
    final long longHold;

    /** True if waits are told, or looked at for deadlocks. */
    final boolean looksAtWaits;

    SlowWatch(Gates gates) {
        this.gates = gates;
        engine = gates.engine;
        long slowWait = nanosOrNever(engine.options.slowWait());
        longHold = nanosOrNever(engine.options.longHold());
        slowWaits = LongStream.concat(
                        LongStream.of(slowWait), LongStream.of(AGAIN).filter(later -> later > slowWait))
                .toArray();
        looksAtWaits = slowWait != Long.MAX_VALUE || gates.deadlocks.after != Long.MAX_VALUE;
        period = Math.max(SHORTEST, Math.min(Math.min(slowWait, longHold), gates.deadlocks.after) / 4);
    }

    static long nanosOrNever(Duration duration) {
        return duration.isZero() ? Long.MAX_VALUE : duration.toNanos();
    }

    /** Returns after which wait a waiter is told next; {@link Long#MAX_VALUE} if it is not told again. */
    long tellAfter(Hold waiter) {
        return waiter.asks.isPatient || waiter.told >= slowWaits.length ? Long.MAX_VALUE : slowWaits[waiter.told];
    }

    /** Looks at a gate from now on, if that is not looked at yet, until it is removed. */
    void add(Gate gate) {
        try {
            if (watched.put(gate, AT_ONCE) == null && !engine.isDown() && !engine.timers.isScheduled(this)) {
                engine.timers.schedule(this, engine.time.nanos() + period);
            }
        } catch (Throwable e) { // as for want of memory, which is to cost nobody the lock: the next one asks again
            watched.remove(gate);
        }
    }

    @Override
    public void fire(long now) {
        Map<String, Map<Hold, String>> slow = new LinkedHashMap<>();
        watched.forEach((gate, at) -> {
            if (at.equals(AT_ONCE) || now - at >= 0) {
                Workers.perform(() -> look(gate, now, slow), "A look at a lock failed; the others follow");
            }
        });
        if (!suspects.isEmpty()) { // some may be from before, as looking at them has failed, or has yet to begin
            engine.callbacks.reports.execute(() -> gates.deadlocks.suspect(suspects));
        }
        slow.forEach(this::slowWaits);
        if (!(watched.isEmpty() && suspects.isEmpty()) && !engine.isDown()) {
            engine.timers.schedule(this, now + period);
        }
    }

    /** Tells holds, and adds waits, that have lasted for too long; looks no more if there is none to be told later. */
    private void look(Gate gate, long now, Map<String, Map<Hold, String>> slow) {
        List<Hold> held = new ArrayList<>();
        gate.step(machine -> {
            long[] next = {Long.MAX_VALUE};
            machine.visit(
                    holding -> next[0] = Caller.earlier(lookAtHold((Hold) holding, now, held), next[0]), waiting -> {
                        next[0] = Caller.earlier(lookAtWait(machine, (Hold) waiting, now, slow), next[0]);
                        next[0] = Caller.earlier(suspectIfLong((Hold) waiting, now), next[0]);
                    });
            // In the step: who comes to wait, or hold, behind it adds the gate again.
            watched.computeIfPresent(gate, (its, at) -> next[0] == Long.MAX_VALUE ? null : (Long) next[0]);
        });
        held.forEach(this::longHold);
    }

    /** Returns when it is to be looked at again. */
    private long lookAtHold(Hold hold, long now, List<Hold> held) {
        if (hold.told == 0 && now - hold.acquired() >= longHold) {
            hold.told++;
            held.add(hold);
        }
        return hold.told > 0 || longHold == Long.MAX_VALUE ? Long.MAX_VALUE : hold.acquired() + longHold;
    }

    private long lookAtWait(Machine machine, Hold waiter, long now, Map<String, Map<Hold, String>> slow) {
        if (waiter.waited(now) >= tellAfter(waiter)) {
            waiter.told++;
            slow.computeIfAbsent(waiter.name(), any -> new LinkedHashMap<>()).put(waiter, machine.silence(waiter));
        }
        long next = tellAfter(waiter);
        return next == Long.MAX_VALUE ? Long.MAX_VALUE : now - waiter.waited(now) + next;
    }

    /** Returns when a wait is to be looked at for deadlocks; adds it if that is to be before the next look. */
    private long suspectIfLong(Hold waiter, long now) {
        long left = gates.deadlocks.after - period - waiter.waited(now);
        if (!waiter.suspected && left <= 0) {
            suspects.add(waiter);
            waiter.suspected = true;
        }
        return waiter.suspected || gates.deadlocks.after == Long.MAX_VALUE ? Long.MAX_VALUE : now + left;
    }

    /** Tells that waits for one lock are slow; the store is not asked for nobody. */
    private void slowWaits(String name, Map<Hold, String> waiters) {
        if (waiters.keySet().stream().anyMatch(waiter -> engine.events.isHeard(kind(waiter), name))) {
            engine.inspect(name).whenComplete((seen, error) -> {
                untold.add(new Slow(name, waiters, error == null ? seen : null));
                engine.callbacks.reports.execute(this::report);
            });
        }
    }

    /** Returns the kind of line: a wait that is told again is no repetition, however soon after others. */
    private static String kind(Hold waiter) {
        return "slow wait " + waiter.told;
    }

    private void report() {
        List<Slow> slow = Stream.iterate(untold.poll(), Objects::nonNull, last -> untold.poll())
                .toList();
        List<Hold> waiters =
                slow.stream().flatMap(one -> one.waiters().keySet().stream()).toList();
        Map<Hold, Set<Hold>> holds = new HashMap<>();
        gates.heldBy(waiters, holds::put);
        slow.forEach(one -> report(one, holds));
    }

    private void report(Slow slow, Map<Hold, Set<Hold>> holds) {
        String name = slow.name();
        Store.Snapshot seen = slow.seen();
        List<Inspection.Claim> ahead =
                seen == null ? List.of() : Inspections.of(gates, name, seen).claims();
        slow.waiters().forEach((waiter, silence) -> {
            if (waiter.isPending()) { // else it ended meanwhile
                long now = engine.time.nanos();
                List<OwnHold> own = holds.getOrDefault(waiter, Set.of()).stream()
                        .map(hold -> Gates.shown(hold, now))
                        .toList();
                SlowWait told = new Shown.LongWait(Gates.wait(waiter, now), ahead, own);
                engine.events.slow(kind(waiter), name, ReportText.of(told, seen != null, silence));
                engine.events.tell(to -> to.slowWait(told));
            }
        });
    }

    private void longHold(Hold hold) {
        OwnHold shown = Gates.shown(hold, engine.time.nanos());
        String text = "The lock '" + hold.name() + "' (token " + hold.token() + ") has been held for "
                + shown.held().toMillis() + " ms by " + ReportText.who(shown.thread(), shown.behalf());
        engine.events.warn("long hold", hold.name(), text);
        engine.events.tell(to -> to.longHold(shown));
    }
}
