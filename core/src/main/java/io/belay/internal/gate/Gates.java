package io.belay.internal.gate;

import io.belay.LockStatistics;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.Statistics;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.Shown;
import io.belay.internal.machine.Stay;
import io.belay.internal.machine.Terms;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The gates of one client, found by what is wanted of them. One that nobody uses is not kept. Thread-safe. */
public final class Gates {
    public final Engine engine;
    public final Families families;
    final SlowWatch slowWatch;
    final Deadlocks deadlocks;
    public final Evictions evictions;
    /** By their terms; those that serve one acquisition, or one who observes, by themselves. */
    private final ConcurrentHashMap<Object, Gate> gates = new ConcurrentHashMap<>();

    /** The gates that may keep a claim that nobody uses, by the lock's name. */
    private final ConcurrentHashMap<String, List<Gate>> keepers = new ConcurrentHashMap<>();

    /** The number of the last gate that was made: this client has no other of that number. */
    final AtomicInteger numbers = new AtomicInteger();

    public Gates(Engine engine) {
        this.engine = engine;
        families = new Families(engine.options);
        deadlocks = new Deadlocks(this);
        slowWatch = new SlowWatch(this);
        evictions = new Evictions(engine);
        engine.gates = gates.values();
        engine.life.onEnding(() -> engine.timers.cancel(slowWatch));
    }

    /** Returns the gate of all callers with those terms. */
    public Gate of(Terms terms) {
        Gate gate = gates.get(terms);
        return gate != null ? gate : gates.computeIfAbsent(terms, this::made);
    }

    private Gate made(Object terms) {
        Gate gate = new Gate(this, (Terms) terms, null);
        if (gate.terms.idle > 0) {
            keeps(gate);
        }
        return gate;
    }

    /** Knows from now on that a gate may keep a claim that nobody uses. */
    void keeps(Gate gate) {
        keepers.merge(
                gate.terms.name,
                List.of(gate),
                (its, more) -> Stream.concat(its.stream(), more.stream()).toList());
        gate.isKeeper = true;
    }

    /** Has claims on the lock that nobody uses make way for one who comes to another gate: they are kept from other clients alone. */
    public void recall(Gate to, boolean isTry) {
        if (!keepers.isEmpty()) {
            List<Gate> kept = keepers.getOrDefault(to.terms.name, List.of());
            for (int i = 0; i < kept.size(); i++) { // mostly this one alone, for which nothing is made
                if (kept.get(i) != to) {
                    kept.get(i).step(its -> its.recall(isTry));
                }
            }
        }
    }

    /** Makes a gate for one acquisition, or for one who observes; {@code noticed}, if any, is called when there is something new. */
    public Gate apart(Terms terms, @Nullable Runnable noticed) {
        Gate gate = new Gate(this, terms, noticed);
        gates.put(gate, gate);
        return gate;
    }

    /** Knows a gate no more that nobody uses. */
    void retire(Gate gate) {
        if (!gates.remove(gate.terms, gate)) {
            gates.remove(gate);
        } else if (gate.isKeeper) {
            keepers.computeIfPresent(gate.terms.name, (name, its) -> {
                List<Gate> left = its.stream().filter(other -> other != gate).toList();
                return left.isEmpty() ? null : left;
            });
        }
    }

    private Stream<Gate> named(String name) {
        return gates.values().stream().filter(gate -> gate.terms.name.equals(name));
    }

    /** Returns what the gates know of this client's own claims on a lock, in a map for the caller. */
    public Map<ClaimId, LocalClaimInfo> localInfo(String name) {
        Map<ClaimId, LocalClaimInfo> own = new HashMap<>();
        named(name)
                .forEach(gate -> gate.step(its -> its.visitClaims(
                        (stay, waiters) -> own.put(stay.id, new LocalClaimInfo(its.present(stay), waiters)))));
        return own;
    }

    /** Returns what is held at these gates, each of which takes one step. */
    private static Stream<Hold> held(Stream<Gate> gates) {
        List<Hold> held = new ArrayList<>();
        gates.forEach(gate -> gate.visit(held::add, waiter -> {}));
        return held.stream();
    }

    /** Returns what this client holds by that claim, if anything. */
    public Optional<Hold> hold(String name, ClaimId claim) {
        return held(named(name)).filter(hold -> hold.claim().id.equals(claim)).findFirst();
    }

    /** Returns what this client holds. */
    public List<OwnHold> holds() {
        long now = engine.time.nanos();
        return held(gates.values().stream()).map(hold -> shown(hold, now)).toList();
    }

    /** Tells what each of those who wait holds in this client, if anything: its thread, or all of the one for whom it works. */
    void heldBy(List<Hold> waiters, BiConsumer<Hold, Set<Hold>> told) {
        Map<Object, Set<Hold>> byOwner = new HashMap<>();
        waiters.forEach(waiter -> waiter.owner().ifPresent(owner -> byOwner.put(owner, new LinkedHashSet<>(1))));
        Consumer<Hold> theirs = hold -> hold.owner().map(byOwner::get).ifPresent(its -> its.add(hold));
        if (!byOwner.isEmpty()) {
            gates.values().forEach(gate -> gate.visit(theirs, other -> {}));
        }
        waiters.forEach(waiter -> waiter.owner()
                .map(byOwner::get)
                .filter(its -> !its.isEmpty())
                .ifPresent(its -> told.accept(waiter, its)));
    }

    /** Returns who waits in this client. */
    public List<OwnWait> waits() {
        long now = engine.time.nanos();
        List<OwnWait> waits = new ArrayList<>();
        gates.values().forEach(gate -> gate.visit(hold -> {}, waiter -> waits.add(wait(waiter, now))));
        return waits;
    }

    static OwnHold shown(Hold hold, long now) {
        return Shown.Hold.of(
                wait(hold, now),
                hold.token(),
                Duration.ofNanos(Math.max(0, now - hold.acquired())),
                Duration.ofNanos(Math.max(0, hold.left(now))));
    }

    /** Shows the wait of one who waits, or holds by now. */
    static Shown.Wait wait(Hold one, long now) {
        Terms key = one.gate.terms;
        Stay by = one.stay();
        int weight = by == null ? key.spec.weight() : by.weight();
        return new Shown.Wait(
                key.name,
                Terms.mode(key.spec.capacity(), weight),
                permits(key.spec.capacity(), weight),
                one.threadName(),
                one.asks.behalf,
                Duration.ofNanos(one.waited(now)));
    }

    static int permits(int capacity, int weight) {
        return capacity < Resource.WHOLE ? weight : 1;
    }

    /** Returns the counts of all locks of this client. */
    public Statistics statistics() {
        long now = engine.time.nanos();
        Map<Tally, Current> present = new HashMap<>();
        for (Gate gate : gates.values()) {
            if (gate.terms.use != Terms.Use.OBSERVER) { // where nobody waits or holds
                Current its = present.computeIfAbsent(gate.family(), family -> new Current());
                gate.step(machine -> gate.family().take(gate.counts));
                gate.visit(
                        hold -> its.holds.add(now - hold.acquired()),
                        waiter -> its.waits.add(waiter.asks.isPatient ? 0 : waiter.waited(now)));
            }
        }
        Map<String, LockStatistics> locks = new TreeMap<>();
        families.all.forEach((name, family) -> {
            Current its = present.getOrDefault(family, new Current());
            LockStatistics.Now there = new Shown.Now(
                    its.holds.count,
                    its.waits.count,
                    Duration.ofNanos(its.holds.longest),
                    Duration.ofNanos(its.waits.longest));
            family.locked(all -> locks.put(name, new Shown.FamilyCounts(all.waits(), all.holds(), there)));
        });
        return engine.statistics(locks);
    }

    /** What there is now of a family. */
    private static final class Current {
        final Tally.Sum holds = new Tally.Sum();
        final Tally.Sum waits = new Tally.Sum();
    }
}
