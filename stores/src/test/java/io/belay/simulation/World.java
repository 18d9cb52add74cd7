package io.belay.simulation;

import io.belay.internal.Inside;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.support.LogInside;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Clients, their users and the store, in one run from a seed. */
final class World {
    private static final long SECOND = 1_000_000_000;
    /** For how long everybody may take to finish once nothing more goes wrong. */
    private static final long PATIENCE = 120 * SECOND;

    /** For how long everybody rests once nothing more goes wrong: for longer than anything is excused by what went wrong. */
    private static final long CALM = 12 * SECOND;

    /** For how many steps everything is used once more after that, and for how long at most. */
    private static final int CALM_STEPS = 1_000;

    private static final long LONGEST_USE = 60 * SECOND;

    /** How many steps the end may take at most. */
    private static final int MOST_STEPS = 400_000;

    final Plan plan;
    final Dice chance;
    final Scheduler scheduler;
    final Pace pace;
    final Story story;
    final Ledger ledger;
    final Discounts discounts;
    final Backend server;
    final StoreRules rules;
    private final Standstill standstill;
    final Times times;
    final Refusals refusals;
    final Ends ends;
    private final Leftovers leftovers;
    final OnceUse onces;
    final LatchUse latches;
    final Looks looks;
    final List<Thing> things = new ArrayList<>();
    final List<Actor> userActors = new ArrayList<>();
    /** When a replica that lagged took over last, so that what the store had answered may not be so; less than 0 for never. */
    long wentBack = -1;

    /** How long an answer takes at most where nothing is wrong. */
    final long longestAnswer;

    final long requestTimeout;
    /** One hold in so many is a long one. */
    final int longHolds;

    private final Map<String, Thing> byName = new HashMap<>();
    private final List<Site> sites = new ArrayList<>();
    private final List<Started> started = new ArrayList<>();
    private final Gremlin gremlin;
    private final Machine nowhere;
    private int machines;
    private long clients;
    private boolean quiet;
    private long quietSince;
    private boolean ending;
    private long pushesLateUntil;
    /** The last instant at which something was wrong for all. */
    long troubled = Long.MIN_VALUE / 2;
    /** Until when the store is full, or was last. */
    private long full = Long.MIN_VALUE / 2;
    /** Which claims were to leave while it was, and can only expire. */
    private final Set<ClaimId> leftInVain = new HashSet<>();

    private @Nullable Violation violation;
    private final Set<Oracle> ignored;

    World(Plan plan, Set<Oracle> ignored, boolean tells) {
        this.ignored = ignored;
        this.plan = plan;
        chance = new Dice(plan.seed());
        pace = new Pace(
                chance.split(), plan.has(Fault.SLOW_THREADS), plan.has(Fault.SLOW_TIMERS), this::isQuiet, this::held);
        story = new Story(tells);
        scheduler = new Scheduler(pace, () -> Hooks.solidly(this::afterEachStep));
        ledger = new Ledger(this);
        discounts = new Discounts(this);
        nowhere = new Machine("world", scheduler, 0);
        // Others may be quicker several times in a row to change a document or a node: two round trips each time.
        boolean tries = plan.shape() == Shape.DOCUMENTS || plan.shape() == Shape.NODES;
        longestAnswer = tries ? 300_000_000L : 50_000_000L;
        requestTimeout = chance.of(longestAnswer, 300_000_000L, 2 * SECOND);
        longHolds = chance.of(2, 8);
        server = Backend.of(this, drift());
        rules = new StoreRules(this);
        standstill = new Standstill(this);
        times = new Times(this);
        refusals = new Refusals(this);
        ends = new Ends(this);
        leftovers = new Leftovers(this);
        Dice later = new Dice(plan.seed() + 2);
        onces = new OnceUse(this, later);
        latches = new LatchUse(this);
        looks = new Looks(this);
        Duration lease = chance.onceIn(2) ? null : Thing.lease(chance);
        for (int i = 0; i < plan.things(); i++) {
            Thing thing = Thing.drawn("x" + i, plan, lease, chance);
            things.add(thing);
            byName.put(thing.name, thing);
        }
        gremlin = new Gremlin(this);
    }

    private long drift() {
        return plan.has(Fault.DRIFT) ? chance.between(-4_000, 4_000) : 0;
    }

    /** Runs it; returns what promise was broken, or null. */
    @Nullable
    Violation run() {
        Hooks.enter(this);
        LogInside.through(this::log, SimulatedLogger::of);
        try {
            scheduler.spawn("director", nowhere, false, 0, this::direct);
            scheduler.run();
        } finally {
            Hooks.enter(null);
        }
        return violation;
    }

    private void afterEachStep() {
        if (scheduler.isOver()) {
            return;
        }
        sites.forEach(Site::noteWarmth);
        ledger.check();
        standstill.check();
        if (!quiet) {
            gremlin.step();
        }
        if (scheduler.steps() > plan.steps() + MOST_STEPS) {
            violate(Oracle.SERVED, "everybody goes on for ever: " + ledger.pending());
        }
    }

    void violate(Oracle oracle, String what) {
        if (violation == null && !scheduler.isOver() && !ignored.contains(oracle)) {
            violation = new Violation(oracle, what);
            story.tell(scheduler, "!", () -> what);
            scheduler.end();
        }
    }

    boolean has(Fault fault) {
        return !quiet && plan.has(fault);
    }

    boolean has(Use use) {
        return plan.has(use);
    }

    /** Whether users do anything besides using things. */
    boolean hasErrands() {
        return has(Use.ONCES) || has(Use.LATCHES) || has(Use.MULTI_LOCKS) || has(Use.LOOKS);
    }

    /** The locks of which several may be taken as one. */
    List<Thing> plainLocks() {
        return things.stream().filter(thing -> thing.kind == Thing.Kind.LOCK).toList();
    }

    boolean isQuiet() {
        return quiet;
    }

    private long restUntil() {
        long last = Math.max(quietSince, troubled);
        for (Site site : sites) {
            last = Math.max(last, site.machine.troubled);
        }
        for (Thing thing : things) {
            last = Math.max(last, thing.bad);
        }
        return last + CALM;
    }

    /** Whether nobody is to begin anything, until all that went wrong is long over. */
    boolean isResting() {
        return quiet && scheduler.now() < restUntil();
    }

    /** Waits until it is. */
    void rest() {
        while (isResting()) {
            scheduler.sleep(restUntil() - scheduler.now());
        }
    }

    /** Whether nobody is to begin anything more. */
    boolean isEnding() {
        return ending;
    }

    /** Whether whoever has anything is to give it back. */
    boolean isIdle() {
        return ending || isResting();
    }

    @Nullable
    Thing thing(String name) {
        return byName.get(name);
    }

    /** The site of the client with that number. */
    @Nullable
    Site site(long number) {
        for (Site site : sites) {
            if (site.number == number) {
                return site;
            }
        }
        return null;
    }

    /** Whether these are numbers of one client, before a pause and after it. */
    boolean isOneClient(long one, long other) {
        return one == other || sites.stream().anyMatch(site -> site.hasHad(one) && site.hasHad(other));
    }

    List<Site> sites() {
        return sites;
    }

    long nextNumber() {
        return ++clients;
    }

    void trouble(long nanos) {
        troubled = Math.max(troubled, scheduler.now() + nanos);
    }

    /** A thread is kept from the processor; where the store is a call, others may be in the midst of it as well. */
    private void held(Machine machine, long nanos) {
        long late = 2 * nanos; // who is kept between a look at the clock and a sleep sleeps for so much longer
        machine.stall(late);
        if (plan.shape() == Shape.ONCE) {
            trouble(late);
            sites.forEach(site -> site.machine.stall(late));
        }
    }

    /** Somebody else may go on here. */
    void mayPause() {
        if (!Hooks.isSolid() && !scheduler.isOver() && chance.onceIn(3)) {
            scheduler.pause();
        }
    }

    /** Begins something on a machine; what it throws is judged. */
    Actor spawn(String name, Machine machine, boolean engine, long delay, Runnable body) {
        return scheduler.spawn(name, machine, engine, delay, () -> {
            try {
                body.run();
            } catch (ActorThread.Killed e) {
                throw e;
            } catch (Throwable e) {
                threw(machine, e);
            }
        });
    }

    /** A thread that is to end with its client. */
    private record Started(Site site, Actor actor) {}

    void started(Site site, Actor actor) {
        started.add(new Started(site, actor));
    }

    void threw(Machine machine, Throwable error) {
        story.tell(scheduler, machine, () -> "has a thread end by " + error);
        if (!(error instanceof PlannedError) && !(error instanceof OutOfMemoryError)) {
            java.io.StringWriter trace = new java.io.StringWriter();
            error.printStackTrace(new java.io.PrintWriter(trace));
            violate(Oracle.ERRORS, machine + " throws " + trace);
        }
    }

    /** A user's code that is called back. */
    void userCode() {
        if (has(Fault.USER_BLOCKS) && chance.onceIn(3)) {
            scheduler.sleep(chance.magnitude(1_000_000, 3 * SECOND));
        }
        if (has(Fault.USER_ERRORS) && chance.onceIn(3)) {
            throw new PlannedError("a user's code fails");
        }
    }

    private void log(Runnable lines) {
        if (scheduler.isOver() || Hooks.scheduler() == null) {
            return;
        }
        spawn("log", nowhere, false, pace.brief(), lines);
    }

    void logged(String level, String message) {
        story.tell(scheduler, scheduler.current(), () -> "logs " + level + ": " + message);
        if (has(Fault.LOG_BLOCKS) && chance.onceIn(4)) {
            scheduler.sleep(chance.magnitude(1_000_000, 2 * SECOND));
        }
        if (has(Fault.LOG_ERRORS) && chance.onceIn(4)) {
            throw new PlannedError("the logger fails");
        }
    }

    // What goes wrong.

    /** Pushes take their time for a while. */
    void delayPushes(long nanos) {
        pushesLateUntil = scheduler.now() + nanos;
    }

    /** Draws for how long a push is kept back. */
    long pushDelay(Machine machine) {
        if (quiet || scheduler.now() >= pushesLateUntil || chance.onceIn(2)) {
            return 0;
        }
        long delay = chance.between(0, 5 * SECOND / 2);
        machine.trouble(delay);
        return delay;
    }

    /** Whether renewals of anything have failed of late. */
    boolean isSpoiled() {
        return things.stream().anyMatch(thing -> thing.bad > scheduler.now() - 10 * SECOND);
    }

    boolean isBad(String name) {
        Thing thing = byName.get(name);
        return thing != null && thing.bad > scheduler.now();
    }

    /** The store takes no changes for a while; what could not leave ends with its lease. */
    void fill(long nanos) {
        full = scheduler.now() + nanos;
        trouble(nanos + Thing.LONGEST_LEASE);
    }

    /** Whether the store takes no such request now, as it is full. */
    boolean isTooFullFor(Request request) {
        if (full > scheduler.now() && request instanceof Request.Leave leave) {
            leftInVain.add(leave.id());
        }
        return full > scheduler.now();
    }

    boolean wasLeftInVain(Claim claim) {
        return leftInVain.contains(claim.id());
    }

    /** Whether the store was full at any time since then. */
    boolean wasFullSince(long since) {
        return full > since;
    }

    void spoil(Thing thing, long nanos) {
        thing.bad = scheduler.now() + nanos;
    }

    void evict(Thing thing) {
        story.tell(scheduler, thing, () -> "is released by force");
        spawn("operator", nowhere, false, pace.brief(), () -> {
            discounts.evict(thing);
            server.evict(thing.name);
        });
    }

    void kill(Site site) {
        site.machine.dead = true;
        sites.stream().filter(other -> other.machine == site.machine).forEach(leftovers::died);
        sites.removeIf(other -> other.machine == site.machine);
        userActors.removeIf(actor -> actor.machine == site.machine);
        populate();
    }

    void close(Site site) {
        if (site.isOpen()) {
            site.closing = true;
            spawn("closer", site.machine, false, pace.brief(), () -> {
                long began = scheduler.now();
                site.close();
                leftovers.closed(site, began);
            });
        }
    }

    /** The client that takes the place of one that was closed, in the same process. */
    Site successor(Site old) {
        for (Site site : sites) {
            if (site.machine == old.machine && site.isOpen()) {
                return site;
            }
        }
        if (!old.closed && !old.closing) {
            open(old);
            return old;
        }
        Site next = new Site(this, old.machine);
        sites.add(next);
        open(next);
        return next;
    }

    private void open(Site site) {
        if (site.open()) {
            story.tell(scheduler, site.machine, () -> "opens client " + site.number);
        }
    }

    // The course of it.

    private void populate() {
        int number = ++machines;
        Machine machine = new Machine(String.valueOf((char) ('A' + (number - 1) % 26)), scheduler, drift());
        Site site = new Site(this, machine);
        sites.add(site);
        spawn("main", machine, false, pace.brief(), () -> {
            open(site);
            for (int i = 0; i < plan.users(); i++) {
                userActors.add(
                        spawn("user" + i, machine, false, chance.magnitude(1_000, SECOND / 10), new User(this, site)));
            }
        });
    }

    private void direct() {
        for (int i = 0; i < plan.clients(); i++) {
            populate();
        }
        Actor director = scheduler.current();
        scheduler.atStep(plan.steps(), () -> {
            quiet = true;
            quietSince = scheduler.now();
            scheduler.disturb(director);
        });
        scheduler.park(Long.MAX_VALUE);
        story.tell(scheduler, "world", () -> "nothing more goes wrong");
        rest();
        story.tell(scheduler, "world", () -> "everything is used once more");
        scheduler.atStep(scheduler.steps() + CALM_STEPS, () -> scheduler.disturb(director));
        scheduler.park(LONGEST_USE);
        ending = true;
        story.tell(scheduler, "world", () -> "everybody finishes");
        if (!await(() -> ledger.pending().isEmpty() && userActors.stream().allMatch(World::isDone))) {
            violate(
                    Oracle.SERVED,
                    "somebody never goes on: " + ledger.pending() + " "
                            + userActors.stream()
                                    .filter(actor -> !isDone(actor))
                                    .toList());
            return;
        }
        for (Site site : List.copyOf(sites)) {
            Observed observed = site.observed();
            if (observed != null && site.isOpen() && !observed.isClosed()) {
                if (!await(observed::knowsOfNobody) && site.isOpen()) {
                    violate(Oracle.LOOKS, observed + " is never told that nobody leads any more");
                    return;
                }
                observed.close();
            }
        }
        if (has(Use.LATCHES) && !await(this::isLatchDeleted)) {
            violate(Oracle.LATCHES, "the latch is never deleted");
            return;
        }
        for (Site site : List.copyOf(sites)) {
            if (site.isOpen() && !await(() -> Inside.size(site.client()) == 0 && Inside.timers(site.client()) == 0)) {
                violate(
                        Oracle.CLEAN_CLIENT,
                        site + " keeps " + Inside.size(site.client()) + " gates and claims and "
                                + Inside.timers(site.client()) + " timers that nobody uses");
                return;
            }
        }
        if (has(Use.LOOKS)) {
            sites.stream().filter(Site::isOpen).forEach(looks::last);
        }
        await(ledger::isTold);
        ledger.checkTold();
        for (Site site : List.copyOf(sites)) {
            close(site);
        }
        if (!await(() -> sites.stream().allMatch(site -> site.closed || !site.closing || site.machine.dead))) {
            violate(Oracle.SERVED, "a client is never closed");
            return;
        }
        scheduler.sleep(70 * SECOND);
        List<Claim> left = server.leftovers().stream()
                .filter(claim -> claim.id().client() != ClaimId.NOBODY || (latches.isSound() && latches.isDeleted()))
                .toList();
        if (!left.isEmpty()) {
            violate(Oracle.CLEAN_STORE, "the store keeps claims that nobody wants: " + left);
        }
        for (Link link : server.links()) {
            Site site = site(link.client());
            if (!link.machine().dead && (site == null || !site.isOpen())) {
                violate(Oracle.OPENING, link.machine() + " leaves its store open to client " + link.client());
            }
        }
        for (Started thread : started) {
            if (thread.site.closed && !isDone(thread.actor)) {
                violate(Oracle.CLEAN_CLIENT, thread.actor + " never ends");
            }
        }
        scheduler.end();
    }

    private boolean isLatchDeleted() {
        Site site = sites.stream().filter(Site::isOpen).findFirst().orElse(null);
        if (site == null || latches.isDeleted()) {
            return true; // or there is nobody who could
        }
        Actor deleter = spawn("deleter", site.machine, false, pace.brief(), () -> latches.delete(site));
        while (!isDone(deleter)) {
            scheduler.sleep(SECOND / 100);
        }
        return latches.isDeleted();
    }

    private static boolean isDone(Actor actor) {
        return actor.state == Actor.State.DONE || actor.machine.dead;
    }

    private interface Condition {
        boolean holds();
    }

    private boolean await(Condition condition) {
        long end = scheduler.now() + PATIENCE;
        while (!condition.holds() && scheduler.now() < end) {
            scheduler.sleep(SECOND / 10);
        }
        return condition.holds();
    }
}
