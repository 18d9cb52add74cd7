package io.belay.internal.time;

import io.belay.simulation.Hooks;
import io.belay.simulation.Switch;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** What clocks, timers and callbacks do where a cure is switched off: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredTime {
    private UncuredTime() {}

    public static List<Switch> errorEndsTimers() {
        return List.of(
                Switch.body(Timers::fire, UncuredTime::fireAndFail),
                Switch.body(Timers::watch, UncuredTime::watch),
                Switch.body(Timers::help, UncuredTime::help),
                Switch.body(Timers::replace, UncuredTime::replace));
    }

    public static List<Switch> errorStopsOutbox() {
        return List.of(
                Switch.body(StepLock::follow, UncuredTime::follow), Switch.body(Callbacks::run, UncuredTime::execute));
    }

    public static List<Switch> listenersHoldUpTimers() {
        return List.of(
                Switch.body(Callbacks::tell, UncuredTime::tellHere), Switch.body(Timers::help, UncuredTime::help));
    }

    public static List<Switch> noThreadDropsNotice() {
        return List.of(Switch.body(Callbacks::tell, UncuredTime::tellByThread));
    }

    public static List<Switch> rejectedIsDropped() {
        return List.of(Switch.body(Callbacks::run, UncuredTime::executeOrDrop));
    }

    /** The time between two runs of the timers, in nanoseconds. */
    private static final long POLL = 1_000_000;

    // What StepLock calls in place of its own.

    /** Takes the lock of a gate. */
    public static void acquire(StepLock lock, int one) {
        Hooks.acquire(lock, () -> lock.tryAcquire(one));
    }

    /** Gives the lock of a gate back. */
    public static boolean release(StepLock lock, int one) {
        lock.tryRelease(one);
        Hooks.released(lock);
        return true;
    }

    static void fireAndFail(Timers timers, Timers.Timer timer, long now) {
        timer.fire(now);
        Hooks.failNowAndThen();
    }

    static void watch(Timers timers) {
        timers.run();
        Hooks.park(POLL);
    }

    static void help(Timers timers, long now) {}

    static void replace(Timers timers) {}

    static void follow(StepLock steps, List<Runnable> all) {
        all.forEach(UncuredTime::perform);
        acquire(steps, 1);
    }

    private static void perform(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            // the others follow
        }
    }

    static void execute(Callbacks callbacks, Runnable task) {
        try {
            Hooks.executor().execute(task);
        } catch (RejectedExecutionException e) {
            callbacks.tell(task);
        }
    }

    static void tellHere(Callbacks callbacks, Runnable task) {
        Workers.perform(task);
    }

    static void tellByThread(Callbacks callbacks, Runnable task) {
        Hooks.startThread("notice", () -> Workers.perform(task));
    }

    static void executeOrDrop(Callbacks callbacks, Runnable task) {
        try {
            Hooks.executor().execute(task);
        } catch (Throwable e) {
            // nobody hears of it
        }
    }
}
