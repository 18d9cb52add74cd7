package io.belay.simulation;

import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What production code makes where it would make a timer of the JDK's with one thread, which is begun with the first task. */
public final class SimulatedTimer extends ScheduledThreadPoolExecutor {
    private @Nullable Loop thread;
    private boolean closed;

    public SimulatedTimer(int threads, ThreadFactory factory) {
        super(threads, factory);
    }

    private Loop thread() {
        Loop present = thread;
        if (present == null) {
            Site site = Hooks.site();
            site.mayStart("timer");
            present = new Loop(site.world, site.machine);
            thread = present;
        }
        return present;
    }

    @Override
    public boolean prestartCoreThread() {
        if (Hooks.scheduler() == null) {
            return super.prestartCoreThread();
        }
        boolean first = thread == null;
        thread();
        return first;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        Scheduler scheduler = Hooks.scheduler();
        if (scheduler == null) {
            return super.schedule(task, delay, unit);
        }
        if (!closed) {
            Loop on = thread();
            scheduler.later(unit.toNanos(delay), () -> {
                if (!closed) {
                    on.add(task);
                }
            });
        }
        return null;
    }

    @Override
    public List<Runnable> shutdownNow() {
        closed = true;
        return super.shutdownNow();
    }
}
