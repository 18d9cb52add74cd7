package io.belay.simulation;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A condition of a lock, as far as stores use one. */
final class SimulatedCondition implements Condition {
    private final ReentrantLock lock;
    private final List<Actor> waiting = new ArrayList<>();

    SimulatedCondition(ReentrantLock lock) {
        this.lock = lock;
    }

    @Override
    public void await() throws InterruptedException {
        awaitNanos(Long.MAX_VALUE);
    }

    @Override
    public void awaitUninterruptibly() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
        Scheduler scheduler = Objects.requireNonNull(Hooks.scheduler());
        long began = scheduler.now();
        waiting.add(scheduler.current());
        Hooks.unlock(lock);
        scheduler.park(nanos);
        waiting.remove(scheduler.current());
        Hooks.lock(lock);
        if (scheduler.current().takeInterrupt()) {
            throw new InterruptedException();
        }
        return nanos - (scheduler.now() - began);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return awaitNanos(unit.toNanos(time)) > 0;
    }

    @Override
    public boolean awaitUntil(Date deadline) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void signal() {
        if (!waiting.isEmpty()) {
            Objects.requireNonNull(Hooks.scheduler()).unpark(waiting.remove(0));
        }
    }

    @Override
    public void signalAll() {
        while (!waiting.isEmpty()) {
            signal();
        }
    }
}
