package io.belay.simulation;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What production code makes where it would make a thread of the JDK's: an actor runs what the thread would. */
public class SimulatedThread extends Thread {
    private final Runnable body;
    private @Nullable Thread actor;

    public SimulatedThread(Runnable body, String name) {
        super(body, name);
        this.body = body;
    }

    public SimulatedThread(@Nullable ThreadGroup group, Runnable body, String name, long stack, boolean inherits) {
        super(group, body, name, stack, inherits);
        this.body = body;
    }

    @Override
    public void start() {
        if (Hooks.scheduler() == null) {
            super.start();
        } else {
            actor = Hooks.site().start(getName(), body);
        }
    }

    static boolean isDone(Thread thread) {
        return thread instanceof SimulatedThread simulated && simulated.actor != null
                ? !Hooks.isAlive(simulated.actor)
                : !thread.isAlive();
    }

    /** The actor's own thread. */
    static Thread of(Thread thread) {
        return thread instanceof SimulatedThread simulated && simulated.actor != null ? simulated.actor : thread;
    }

    static void join(Thread thread, long time, TimeUnit unit) throws InterruptedException {
        if (Hooks.scheduler() == null) {
            unit.timedJoin(thread, time);
        } else {
            Hooks.poll(() -> isDone(thread), unit.toNanos(time));
        }
    }
}
