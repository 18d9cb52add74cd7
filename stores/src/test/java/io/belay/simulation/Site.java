package io.belay.simulation;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.ConnectMode;
import io.belay.LeaderElection;
import io.belay.StoreUnavailableException;
import io.belay.internal.Inside;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A client and the process that it runs in: its clocks, its threads, its callback executor. */
final class Site implements Inside.Process {
    /** After a failure a client connects again after a second, or as soon as its thread is run. */
    private static final long CONNECTS_AGAIN = 1_500_000_000;

    final World world;
    final Machine machine;
    /** The number of its client, another one each time that it is opened, or goes on after a pause. */
    long number;
    /** All that it has had. */
    private final Set<Long> numbers = new HashSet<>();

    private @Nullable Belay client;
    private boolean opening;
    private @Nullable Reports reports;
    private int refusals;
    private boolean observing;
    private @Nullable Observed observed;
    private boolean pausing;
    /** When its client went on last. */
    private long resumed = Long.MIN_VALUE / 2;

    private final Map<Thing, Long> lastUses = new HashMap<>();
    /** Somebody has begun to close it. */
    boolean closing;
    /** Who is closing it; null for nobody. */
    @Nullable
    Actor closer;
    /** The last instant at which its client had not heard of its store by the present connection. */
    long cold = Long.MIN_VALUE / 2;
    /** When its store answered last. */
    long answered = Long.MIN_VALUE / 2;
    /** It is closed. */
    boolean closed;

    Site(World world, Machine machine) {
        this.world = world;
        this.machine = machine;
    }

    /** Opens the client; false if it could not be. */
    boolean open() {
        if (opening || client != null) {
            return false;
        }
        opening = true;
        try {
            return openNow();
        } finally {
            opening = false;
        }
    }

    private boolean openNow() {
        BelayOptions options = BelayOptions.defaults()
                .withClientName(machine.name)
                .withRequestTimeout(Duration.ofNanos(world.requestTimeout))
                .withSpin(Duration.ZERO)
                .withCallbackExecutor(this::execute);
        if (world.has(Use.REPORTS)) {
            reports = new Reports(this, world.chance);
            options =
                    options.withListener(reports).withSlowWait(reports.slowWait).withLongHold(reports.longHold);
        }
        observing = false;
        observed = null;
        if (world.has(Use.LATE_CONNECTIONS)) {
            refusals = world.chance.below(3);
            options = options.withConnectMode(world.chance.of(ConnectMode.LATER, ConnectMode.IF_REACHABLE));
        }
        try {
            client = Inside.open(this::nextNumber, options, this, this::connect);
            return true;
        } catch (OutOfMemoryError e) {
            if (!world.has(Use.LATE_CONNECTIONS) && world.server.isOpen(number)) {
                world.violate(Oracle.OPENING, machine + " is not opened, and leaves its store open");
            }
            return false;
        }
    }

    private long nextNumber() {
        number = world.nextNumber();
        numbers.add(number);
        return number;
    }

    /** Whether its client has that number, or had it before a pause. */
    boolean hasHad(long client) {
        return numbers.contains(client);
    }

    private Store connect(long client, Store.Listener listener) {
        if (refusals > 0) {
            refusals--;
            machine.trouble(CONNECTS_AGAIN);
            throw StoreException.unreachable("it is not there yet", null);
        }
        Store opened = world.plan.shape() == Shape.NETWORK
                ? world.server.open(this, client, listener)
                : ToldStore.open(world, machine, listener, told -> world.server.open(this, client, told));
        return new NumberedStore(this, opened, client);
    }

    Belay client() {
        return java.util.Objects.requireNonNull(client);
    }

    /** Whether a lock can stay taken after its release. */
    boolean keeps() {
        return world.plan.shape() != Shape.NODES
                || client().admin().capabilities().leasePerClaim();
    }

    /** What was told by its client of that number, if somebody listens. */
    @Nullable
    Reports reportsOf(long client) {
        return client == number ? reports : null;
    }

    /** Observes who leads, unless it does already. */
    void observe(Thing thing, LeaderElection election, long lease) {
        if (isOpen() && !observing) {
            observing = true;
            try {
                observed = new Observed(this, thing, election, lease);
            } catch (ClientClosedException | StoreUnavailableException e) {
                observing = !wasPausedSince(world.scheduler.now());
                world.story.tell(world.scheduler, machine, e::getMessage);
            }
        }
    }

    @Nullable
    Observed observed() {
        return observed;
    }

    /** Somebody's wait is over. */
    void waited(Attempt attempt) {
        Reports told = reports;
        if (told != null && world.times.judges() && !closing) {
            told.waited(attempt);
        }
    }

    /** Somebody holds something. */
    void holds(Grip grip) {
        Reports told = reportsOf(grip.claim.client());
        if (told != null) {
            told.holds(grip);
        }
    }

    boolean isOpen() {
        return client != null && !closing && !machine.dead;
    }

    void close() {
        closing = true;
        world.story.tell(world.scheduler, machine, () -> "is being closed");
        long began = world.scheduler.now();
        closer = world.scheduler.current();
        if (world.has(Use.DRAINS) && world.chance.onceIn(2)) {
            long longest = world.chance.magnitude(1_000_000, 3_000_000_000L);
            List<Grip> held = world.ledger.heldThrough(this);
            client().close(Duration.ofNanos(longest));
            world.times.drained(this, began, longest, held);
        } else {
            client().close();
        }
        closer = null;
        world.times.refusesAll(this, began);
        world.times.keepsInterrupts();
        closed = true;
        world.ledger.closed(this);
        world.story.tell(world.scheduler, machine, () -> "is closed");
    }

    /** Pauses the client for a while, unless somebody does already. */
    void pause(Dice dice) {
        if (pausing) {
            return;
        }
        pausing = true;
        long drain = dice.onceIn(2) ? 0 : dice.magnitude(1_000_000, 2_000_000_000L);
        long pause = dice.magnitude(1_000, 2_000_000_000L);
        long began = world.scheduler.now();
        long former = number;
        List<Grip> held = world.ledger.heldThrough(this);
        world.story.tell(world.scheduler, machine, () -> "is being paused");
        machine.trouble(drain + 2 * world.requestTimeout + pause + CONNECTS_AGAIN);
        client().pause(Duration.ofNanos(drain));
        if (!closing) {
            isPaused(former, began);
            world.times.drained(this, began, drain, held);
        }
        world.scheduler.sleep(pause);
        world.times.refusesAll(this, began);
        try {
            machine.trouble(CONNECTS_AGAIN);
            client().resume();
            world.story.tell(world.scheduler, machine, () -> "goes on as client " + number);
        } catch (ClientClosedException e) {
            if (!closing) {
                world.violate(Oracle.FAILURES, this + " cannot go on: " + e.getMessage());
            }
        } catch (OutOfMemoryError e) {
            // No thread can be started: it stays paused until it is closed, as nobody tries again.
            world.close(this);
            return;
        }
        resumed = world.scheduler.now();
        pausing = false;
    }

    /** Nothing of a paused client is left. */
    private void isPaused(long former, long began) {
        world.story.tell(world.scheduler, machine, () -> "is paused");
        world.ledger.closed(this);
        String failure = client().admin().health().failure().orElse("nothing");
        if (!failure.contains("paused") && !closing) {
            world.violate(Oracle.LOOKS, this + " is paused and says of its store: " + failure);
        }
        // Else the time that a pause takes at most may have passed, also as who disconnects was not scheduled; or,
        // where a store calls back at once, a push of this client's waits for another one's keeper that stands still.
        boolean slow = world.plan.has(Fault.SLOW_THREADS) && world.scheduler.now() - began >= world.requestTimeout;
        boolean ran = machine.resumeAt <= began
                && !slow
                && !(world.plan.shape() == Shape.ONCE && world.plan.has(Fault.SLOW_TIMERS));
        if (ran && world.server.isOpen(former)) {
            world.violate(Oracle.OPENING, this + " is paused and leaves its store open to client " + former);
        }
    }

    /** Whether its client was paused then or later. */
    boolean wasPausedSince(long instant) {
        return pausing || resumed >= instant;
    }

    /** Whether the store may not have answered of late. */
    boolean isTroubled() {
        return isTroubledSince(world.scheduler.now() - 2 * world.requestTimeout);
    }

    /** Notes that somebody has or wants something no longer. */
    void used(Thing thing) {
        lastUses.put(thing, world.scheduler.now());
    }

    /** When somebody had or wanted it last and did so no more. */
    long lastUse(Thing thing) {
        return lastUses.getOrDefault(thing, Long.MIN_VALUE / 2);
    }

    /** Whether its process may have been kept from going on; what is wrong with the store or the way there does not count. */
    boolean isStalledSince(long since) {
        return machine.stalled > since;
    }

    /** Notes whether its client has heard of its store by the present connection. */
    void noteWarmth() {
        Belay opened = client;
        if (opened != null && Inside.patience(opened) > Times.DUE) {
            cold = world.scheduler.now();
        }
    }

    boolean isTroubledSince(long since) {
        return machine.troubled > since || world.troubled > since;
    }

    /** The callback executor. */
    void execute(Runnable task) {
        world.mayPause();
        if (world.has(Fault.EXECUTOR_REJECTS) && world.chance.onceIn(6)) {
            world.story.tell(world.scheduler, machine, () -> "has its callback executor reject a task");
            throw new RejectedExecutionException("no more");
        } else if (world.has(Fault.EXECUTOR_THROWS) && world.chance.onceIn(6)) {
            world.story.tell(world.scheduler, machine, () -> "has its callback executor throw an error");
            throw new PlannedError("the executor fails");
        }
        boolean late = world.has(Fault.EXECUTOR_LATE) && world.chance.onceIn(4);
        long delay = late ? world.chance.magnitude(1_000_000, 2_000_000_000L) : world.pace.brief();
        world.spawn("callback", machine, false, delay, task);
    }

    @Override
    public long nanos() {
        Hooks.reading();
        return machine.nanos();
    }

    @Override
    public long wallMillis() {
        return machine.wallMillis();
    }

    /** Fails if no thread can be started. */
    void mayStart(String name) {
        Fault missing = closing ? Fault.NO_THREADS_AT_CLOSE : Fault.NO_THREADS;
        if (world.has(missing) && world.chance.onceIn(3)) {
            world.story.tell(world.scheduler, machine, () -> "cannot start the thread " + name);
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    @Override
    public Thread start(String name, Runnable body) {
        mayStart(name);
        Actor actor = world.spawn(name, machine, true, world.pace.brief(), body);
        world.started(this, actor);
        return world.scheduler.dedicate(actor);
    }

    @Override
    public void park(long nanos) {
        world.ledger.parks(world.scheduler.current());
        world.scheduler.park(nanos);
    }

    @Override
    public void unpark(@Nullable Thread thread) {
        Actor actor = thread == null ? null : ((ActorThread) thread).actor;
        if (actor != null) {
            world.scheduler.unpark(actor);
        }
    }

    @Override
    public String toString() {
        return machine.name;
    }
}
