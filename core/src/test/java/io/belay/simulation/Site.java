package io.belay.simulation;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.internal.Inside;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A client and the process that it runs in: its clocks, its threads, its callback executor. */
final class Site implements Inside.Process {
    final World world;
    final Machine machine;
    final long number;
    private @Nullable Belay client;
    /** Somebody has begun to close it. */
    boolean closing;
    /** It is closed. */
    boolean closed;

    Site(World world, Machine machine, long number) {
        this.world = world;
        this.machine = machine;
        this.number = number;
    }

    /** Opens the client; false if it could not be. */
    boolean open() {
        BelayOptions options = BelayOptions.defaults()
                .withClientName(machine.name)
                .withRequestTimeout(Duration.ofNanos(world.requestTimeout))
                .withSpin(Duration.ZERO)
                .withCallbackExecutor(this::execute);
        try {
            client = Inside.open(number, options, this, listener -> new Line(world, machine, number, listener));
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    Belay client() {
        return java.util.Objects.requireNonNull(client);
    }

    boolean isOpen() {
        return client != null && !closing && !machine.dead;
    }

    void close() {
        closing = true;
        world.story.tell(world.scheduler, machine, () -> "is being closed");
        client().close();
        closed = true;
        world.story.tell(world.scheduler, machine, () -> "is closed");
    }

    /** The callback executor. */
    private void execute(Runnable task) {
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

    @Override
    public Thread start(String name, Runnable body) {
        if (world.has(Fault.NO_THREADS) && world.chance.onceIn(3)) {
            world.story.tell(world.scheduler, machine, () -> "cannot start the thread " + name);
            throw new OutOfMemoryError("unable to create native thread");
        }
        Actor actor = world.spawn(name, machine, true, world.pace.brief(), body);
        return world.scheduler.bind(actor);
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
