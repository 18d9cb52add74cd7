package io.belay.internal.gate;

import io.belay.LockStatistics;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.Statistics;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.Shown;
import io.belay.internal.machine.Terms;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The gates of one client, found by what is wanted of them. One that nobody uses is not kept. Thread-safe. */
public final class Gates {
    public final Engine engine;
    public final Families families;
    final SlowWatch slowWatch;
    final Deadlocks deadlocks;
    public final Evictions evictions;
    private final ConcurrentHashMap<Terms, Gate> gates = new ConcurrentHashMap<>();
    /** The gates that serve one acquisition each. */
    private final Set<Gate> apart = ConcurrentHashMap.newKeySet();

    /** The number of the last gate that was made: this client has no other of that number. */
    final AtomicInteger numbers = new AtomicInteger();

    public Gates(Engine engine) {
        this.engine = engine;
        families = new Families(engine.options);
        deadlocks = new Deadlocks(this);
        slowWatch = new SlowWatch(this);
        evictions = new Evictions(engine);
        engine.life.onEnding(() -> {
            all().forEach(Gate::look);
            slowWatch.stop();
        });
    }

    /** Returns the gate of all callers with those terms. */
    public Gate of(Terms terms) {
        Gate gate = gates.get(terms);
        return gate != null ? gate : gates.computeIfAbsent(terms, asked -> new Gate(this, asked, null));
    }

    /** Makes a gate for one acquisition. */
    public Gate apart(Terms terms) {
        Gate gate = new Gate(this, terms, null);
        apart.add(gate);
        return gate;
    }

    /** Knows a gate no more that nobody uses. */
    void retire(Terms terms, Gate gate) {
        if (!gates.remove(terms, gate)) {
            apart.remove(gate);
        }
    }

    /** Returns how many gates there are, so that tests see that nothing is left behind. */
    public int size() {
        return gates.size() + apart.size();
    }

    private Collection<Gate> all() {
        List<Gate> all = new ArrayList<>(gates.values());
        all.addAll(apart);
        return all;
    }

    /** Returns what the gates know of this client's own claims on a lock. */
    public List<LocalClaimInfo> localInfo(String name) {
        List<LocalClaimInfo> result = new ArrayList<>(1);
        for (Gate gate : all()) {
            if (gate.name().equals(name)) {
                gate.localInfo(result::add);
            }
        }
        return result;
    }

    /** Returns what this client holds by that claim, if anything. */
    public Optional<Hold> hold(String name, ClaimId claim) {
        List<Hold> found = new ArrayList<>(1);
        for (Gate gate : all()) {
            if (gate.name().equals(name)) {
                gate.visit(hold -> found.add(hold), waiter -> {});
            }
        }
        return found.stream().filter(hold -> hold.claim().id.equals(claim)).findFirst();
    }

    /** Returns what this client holds. */
    public List<OwnHold> holds() {
        long now = engine.time.nanos();
        List<OwnHold> holds = new ArrayList<>();
        all().forEach(gate -> gate.visit(hold -> holds.add(shown(hold, now)), waiter -> {}));
        return holds;
    }

    /** Returns what these threads hold in this client. */
    Map<Thread, List<OwnHold>> holdsOf(Set<Thread> threads) {
        long now = engine.time.nanos();
        Map<Thread, List<OwnHold>> holds = new HashMap<>();
        Consumer<Hold> theirs = hold -> {
            if (threads.contains(hold.thread())) {
                holds.computeIfAbsent(hold.thread(), thread -> new ArrayList<>())
                        .add(shown(hold, now));
            }
        };
        all().forEach(gate -> gate.visit(theirs, waiter -> {}));
        holds.replaceAll((thread, own) -> List.copyOf(own)); // here, as each report would copy them anew
        return holds;
    }

    /** Returns what each of those who wait holds in this client, if anything: its thread, or all of the one for whom it works. */
    Map<Hold, Set<Hold>> heldBy(List<Hold> waiters) {
        Map<Object, Set<Hold>> byOwner = new HashMap<>();
        waiters.forEach(waiter -> waiter.owners().forEach(owner -> byOwner.put(owner, new LinkedHashSet<>(1))));
        Consumer<Hold> theirs = hold -> hold.owners()
                .forEach(owner -> byOwner.computeIfPresent(owner, (any, its) -> {
                    its.add(hold);
                    return its;
                }));
        all().forEach(gate -> gate.visit(theirs, other -> {}));
        Map<Hold, Set<Hold>> held = new LinkedHashMap<>();
        for (Hold waiter : waiters) {
            Set<Hold> its = new LinkedHashSet<>();
            waiter.owners().forEach(owner -> its.addAll(byOwner.getOrDefault(owner, Set.of())));
            if (!its.isEmpty()) {
                held.put(waiter, its);
            }
        }
        return held;
    }

    /** Returns who waits in this client. */
    public List<OwnWait> waits() {
        long now = engine.time.nanos();
        List<OwnWait> waits = new ArrayList<>();
        all().forEach(gate -> gate.visit(hold -> {}, waiter -> waits.add(wait(waiter, now))));
        return waits;
    }

    static OwnHold shown(Hold hold, long now) {
        return Shown.Hold.of(
                asked(hold, hold.claim().weight()),
                hold.token(),
                Duration.ofNanos(Math.max(0, now - hold.acquired())),
                Duration.ofNanos(Math.max(0, Math.min(hold.limit(), hold.claim().until()) - now)));
    }

    static OwnWait wait(Hold waiter, long now) {
        return Shown.Wait.of(asked(waiter, waiter.gate.terms.spec.weight()), Duration.ofNanos(waiter.waited(now)));
    }

    private static Shown.Asked asked(Hold one, int weight) {
        Terms key = one.gate.terms;
        return new Shown.Asked(
                key.name,
                Terms.mode(key.spec.capacity(), weight),
                permits(key.spec.capacity(), weight),
                one.threadName(),
                one.asks.behalf);
    }

    static int permits(int capacity, int weight) {
        return capacity < Resource.WHOLE ? weight : 1;
    }

    /** Returns the counts of all locks of this client. */
    public Statistics statistics() {
        long now = engine.time.nanos();
        Map<Tally, Present> present = new HashMap<>();
        for (Gate gate : all()) {
            Present its = present.computeIfAbsent(gate.family(), family -> new Present());
            gate.count();
            gate.visit(hold -> its.holds.add(now - hold.acquired()), waiter -> its.waits.add(waiter.waited(now)));
        }
        Map<String, LockStatistics> locks = new TreeMap<>();
        families.all.forEach((name, family) -> {
            Present its = present.getOrDefault(family, new Present());
            LockStatistics.Now there = new Shown.Now(
                    its.holds.count,
                    its.waits.count,
                    Duration.ofNanos(its.holds.longest),
                    Duration.ofNanos(its.waits.longest));
            family.read(all -> locks.put(name, new Shown.FamilyCounts(all.waits(), all.holds(), there)));
        });
        return engine.statistics(locks);
    }

    /** What there is now of a family. */
    private static final class Present {
        final Tally.Sum holds = new Tally.Sum();
        final Tally.Sum waits = new Tally.Sum();
    }
}
