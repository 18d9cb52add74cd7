package io.belay.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/** A thread on which a client hears its store: it takes one message after the other. */
final class Loop {
    private final World world;
    private final Machine machine;
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private boolean busy;

    Loop(World world, Machine machine) {
        this.world = world;
        this.machine = machine;
    }

    void add(Runnable message) {
        queue.add(message);
        if (!busy) {
            busy = true;
            world.spawn("loop", machine, true, world.pace.brief(), this::drain);
        }
    }

    private void drain() {
        for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
            try {
                next.run();
            } catch (ActorThread.Killed e) {
                throw e;
            } catch (Throwable e) {
                world.threw(machine, e);
            }
            world.scheduler.pause();
        }
        busy = false;
    }
}
