package io.belay.internal.machine;

import io.belay.spi.ClaimSpec;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a client of the search does, at most.
 *
 * @param terms the terms of its machine
 * @param calls who of its callers comes, in this order
 * @param extensions how often a holder moves its end, to one tick and to four ticks from then
 * @param weighings how often a holder asks for the other weight
 * @param keeps for how many ticks a lock may stay taken after its release, or 0
 * @param timers how often its timer fires, beside the ends of leases; where time is prompt it fires whenever it is due
 * @param dies whether it crashes once its first caller has come
 */
record SimRole(Terms terms, List<Call> calls, int extensions, int weighings, int keeps, int timers, boolean dies) {
    /**
     * A caller.
     *
     * @param ifFree whether it wants the lock at once or not at all
     * @param patience for how many ticks it waits, or 0 for as long as it takes
     * @param thread whether it is a thread, which is woken up before it has the lock
     * @param patient whether it never gives up
     * @param maxHold the longest hold in ticks, or 0
     * @param atLeast for how many ticks the lock stays taken at least
     */
    record Call(boolean ifFree, int patience, boolean thread, boolean patient, int maxHold, int atLeast) {
        /** Returns always the same: states are told apart by it. */
        Asks asks() {
            return ASKS.computeIfAbsent(this, call -> {
                long longest = maxHold == 0 ? Caller.NEVER : maxHold * SimWorld.NANOS;
                return new Asks(longest, atLeast * SimWorld.NANOS, null, "", false, false);
            });
        }
    }

    private static final Map<Call, Asks> ASKS = new ConcurrentHashMap<>();
    private static final Call PLAIN = new Call(false, 0, false, false, 0, 0);

    /** A client with one lease of three ticks and no slice: who has had the lock yields it to the next caller. */
    static SimRole locks(int callers) {
        ClaimSpec spec = ClaimSpec.whole(3 * SimWorld.MICROS);
        Terms terms = new Terms(SimWorld.NAME, spec, 0, false, 0, Terms.Use.ALL);
        return new SimRole(terms, Collections.nCopies(callers, PLAIN), 0, 0, 0, 0, false);
    }

    SimRole calls(Call... callers) {
        return new SimRole(terms, List.of(callers), extensions, weighings, keeps, timers, dies);
    }

    private SimRole each(java.util.function.UnaryOperator<Call> change) {
        List<Call> all = new ArrayList<>(calls);
        all.replaceAll(change);
        return new SimRole(terms, List.copyOf(all), extensions, weighings, keeps, timers, dies);
    }

    SimRole andWaits() {
        return each(c -> new Call(c.ifFree, c.patience, c.thread, true, c.maxHold, c.atLeast));
    }

    SimRole onlyIfFree() {
        return each(c -> new Call(true, c.patience, c.thread, c.patient, c.maxHold, c.atLeast));
    }

    SimRole forAtMost(int ticks) {
        return each(c -> new Call(c.ifFree, ticks, c.thread, c.patient, c.maxHold, c.atLeast));
    }

    SimRole threads() {
        return each(c -> new Call(c.ifFree, c.patience, true, c.patient, c.maxHold, c.atLeast));
    }

    SimRole holdsAtMost(int ticks) {
        return each(c -> new Call(c.ifFree, c.patience, c.thread, c.patient, ticks, c.atLeast));
    }

    /** Its locks stay taken for so long at least; as in production each caller then has a machine of its own. */
    SimRole holdsAtLeast(int ticks) {
        return with(terms.apart()).each(c -> new Call(c.ifFree, c.patience, c.thread, c.patient, c.maxHold, ticks));
    }

    SimRole with(Terms next) {
        return new SimRole(next, calls, extensions, weighings, keeps, timers, dies);
    }

    private SimRole with(ClaimSpec spec, Terms.Use use) {
        return with(new Terms(terms.name, spec, terms.slice, terms.barging, terms.idle, use));
    }

    private SimRole with(long slice, boolean barging, long idle) {
        return with(new Terms(terms.name, terms.spec, slice, barging, idle, terms.use));
    }

    private ClaimSpec spec(int capacity, int weight, long lease) {
        return ClaimSpec.of(capacity, weight, lease).withFixedLease(terms.spec.fixedLease());
    }

    SimRole weighing(int weight) {
        return with(spec(terms.spec.capacity(), weight, terms.spec.lease()), terms.use);
    }

    SimRole leasing(int ticks) {
        return with(terms.spec.withLease(ticks * SimWorld.MICROS), terms.use);
    }

    /** Makes its lock a semaphore, each of whose callers has a machine of its own. */
    SimRole ofCapacity(int capacity) {
        return capacity == Resource.WHOLE
                ? this
                : with(spec(capacity, Math.min(terms.spec.weight(), capacity), terms.spec.lease()), Terms.Use.ONE);
    }

    SimRole holding(int ticks) {
        SimRole fixed = with(terms.spec.withFixedLease(ticks * SimWorld.MICROS), terms.use);
        return fixed.with(fixed.terms.apart());
    }

    SimRole turns(int ticks) {
        return with(ticks * SimWorld.NANOS, false, terms.idle);
    }

    SimRole barging() {
        return with(4 * SimWorld.NANOS, true, terms.idle);
    }

    SimRole keepsFor(int ticks) {
        return with(terms.slice, terms.barging, ticks * SimWorld.NANOS);
    }

    /** Its holders move their end so often. */
    SimRole moves(int n) {
        return new SimRole(terms, calls, n, weighings, keeps, timers, dies);
    }

    SimRole reweights(int n) {
        return new SimRole(terms, calls, extensions, n, keeps, timers, dies);
    }

    SimRole andLeavesItTaken(int ticks) {
        return new SimRole(terms, calls, extensions, weighings, ticks, timers, dies);
    }

    /** Renews, and sends again what is not answered, so often in all, if it may be late. */
    SimRole renews(int n) {
        return new SimRole(terms, calls, extensions, weighings, keeps, n, dies);
    }

    SimRole andDies() {
        return new SimRole(terms, calls, extensions, weighings, keeps, timers, true);
    }

    boolean isObserver() {
        return terms.use == Terms.Use.OBSERVER;
    }

    /** Makes it a client that only wants to be told when others want what its claim holds. */
    SimRole observes() {
        ClaimSpec spec = ClaimSpec.of(terms.spec.capacity(), terms.spec.weight(), terms.spec.lease());
        Terms observing = new Terms(terms.name, spec, Terms.STORES_SLICE, false, 0, Terms.Use.OBSERVER);
        return new SimRole(observing, List.of(), 0, 0, 0, 0, false);
    }
}
