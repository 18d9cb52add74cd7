package io.belay.simulation;

import io.belay.simulation.Actor.State;
import io.belay.simulation.EventQueue.Event;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Decides who goes on, and when: one actor at a time, the one whose instant comes first. How long an actor takes to go
 * on is drawn from the seed, and so is where it is interrupted by others.
 *
 * <p>Whoever has to wait looks for the next one by itself and gives it the baton, so that a change of actor costs a single
 * change of threads.
 */
final class Scheduler {
    /** How the actors of a world are scheduled. */
    interface Pace {
        /** Draws how long an actor that could go on takes to. */
        long delay(Actor actor);

        /** Draws how many points an actor passes before it is interrupted. */
        int fuel();
    }

    /** What a reading of a clock costs. */
    private static final long READING = 40;

    private static final long STUCK = 20_000_000_000L;

    private final Pace pace;
    private final Runnable afterEachStep;
    private final EventQueue events = new EventQueue();
    private final List<Actor> blocked = new ArrayList<>();
    private final List<ActorThread> threads = new ArrayList<>();
    private final Deque<ActorThread> idle = new ArrayDeque<>();
    private final Thread runner = Thread.currentThread();

    private long now;
    private long steps;
    private long limit = Long.MAX_VALUE;
    private long hash;
    private @Nullable Runnable atLimit;
    private @Nullable Actor current;
    /** The thread that was given the baton last. */
    private volatile @Nullable ActorThread holder;

    private volatile boolean over;
    private volatile boolean returned;
    private volatile long alive;

    Scheduler(Pace pace, Runnable afterEachStep) {
        this.pace = pace;
        this.afterEachStep = afterEachStep;
    }

    /** The true time, in nanoseconds. */
    long now() {
        return now;
    }

    /** Time passes while a clock is read. */
    void reading() {
        now += READING;
    }

    long steps() {
        return steps;
    }

    /** All that was decided so far, in one number. */
    long hash() {
        return hash;
    }

    /** Has something run as soon as there were so many steps. */
    void atStep(long step, Runnable what) {
        limit = step;
        atLimit = what;
    }

    Actor current() {
        return java.util.Objects.requireNonNull(current);
    }

    boolean isRunning(Thread thread) {
        return current != null && current.thread == thread;
    }

    boolean isOver() {
        return over;
    }

    /** Ends the world once the present step is done. */
    void end() {
        over = true;
    }

    // What happens later.

    void later(long delay, Runnable what) {
        events.add(now + delay, what);
    }

    /** Has somebody begin after so many nanoseconds. */
    Actor spawn(String name, Machine machine, boolean engine, long delay, Runnable body) {
        Actor actor = new Actor(name, machine, engine, body);
        events.add(now + delay, actor);
        return actor;
    }

    /** Gives it a thread of its own before it begins. */
    ActorThread dedicate(Actor actor) {
        return bind(actor, made(true));
    }

    private ActorThread made(boolean dedicated) {
        ActorThread thread = new ActorThread(this, threads.size(), dedicated);
        threads.add(thread);
        thread.start();
        return thread;
    }

    private static ActorThread bind(Actor actor, ActorThread thread) {
        thread.actor = actor;
        actor.thread = thread;
        return thread;
    }

    // What the running actor calls.

    /** Somebody else may go on first. */
    void pause() {
        Actor me = current();
        ready(me, pace.delay(me));
        handOver(me);
    }

    /** Goes on after so many nanoseconds, whatever happens meanwhile. */
    void sleep(long nanos) {
        Actor me = current();
        ready(me, nanos);
        handOver(me);
    }

    /** Waits to be woken, for at most so many nanoseconds. */
    void park(long nanos) {
        Actor me = current();
        if (me.takePermit() || nanos <= 0) {
            pause();
            return;
        }
        me.state = State.PARKED;
        me.version++;
        if (nanos < Long.MAX_VALUE - now) {
            events.add(now + nanos, me);
        }
        handOver(me);
    }

    /** Waits until that is free. */
    void block(Object on) {
        Actor me = current();
        me.state = State.BLOCKED;
        me.version++;
        me.blockedOn = on;
        blocked.add(me);
        handOver(me);
    }

    // What anybody calls while an actor runs, or between the steps.

    void unpark(Actor actor) {
        if (actor.state == State.PARKED) {
            ready(actor, pace.delay(actor));
        } else {
            actor.permit();
        }
    }

    /** Wakes one that parks for no reason. */
    void disturb(Actor actor) {
        if (actor.state == State.PARKED) {
            ready(actor, pace.delay(actor));
        }
    }

    void unblock(Object on) {
        if (blocked.isEmpty()) {
            return;
        }
        for (int i = 0; i < blocked.size(); i++) {
            Actor actor = blocked.get(i);
            if (actor.blockedOn == on) {
                blocked.remove(i--);
                actor.blockedOn = null;
                ready(actor, pace.delay(actor));
            }
        }
    }

    private void ready(Actor actor, long delay) {
        actor.state = State.READY;
        actor.version++;
        events.add(now + delay, actor);
    }

    // How the baton goes round.

    private void handOver(Actor me) {
        ActorThread own = java.util.Objects.requireNonNull(me.thread);
        if (over) {
            own.kill();
        }
        Actor next = pick();
        if (next == me) {
            return;
        }
        give(next);
        own.awaitTurn();
    }

    /** A thread has done what its actor was there for. */
    void handOver(ActorThread own) {
        own.actor = null;
        if (over) {
            return;
        }
        Actor next = pick();
        if (next != null && next.thread == null) {
            next.thread = own;
            own.actor = next;
            return;
        }
        idle.push(own);
        give(next);
        own.awaitTurn();
    }

    /** A thread ends with its actor. */
    void leave(ActorThread own) {
        give(over ? null : pick());
    }

    private void give(@Nullable Actor next) {
        if (next == null) {
            giveBack();
            return;
        }
        ActorThread thread = next.thread;
        if (thread == null) {
            thread = bind(next, idle.isEmpty() ? made(false) : idle.pop());
        }
        resume(thread);
    }

    private void resume(ActorThread thread) {
        holder = thread;
        thread.resumeNow();
    }

    /** Gives the baton back to whoever runs the world. */
    void giveBack() {
        returned = true;
        LockSupport.unpark(runner);
    }

    void perform(Actor actor) {
        actor.body.run();
        actor.state = State.DONE;
    }

    /** Lets happen what comes first until an actor goes on; null when the world is over. */
    private @Nullable Actor pick() {
        while (true) {
            afterEachStep.run();
            if (over) {
                current = null;
                return null;
            }
            if (steps >= limit && atLimit != null) {
                Runnable what = atLimit;
                atLimit = null;
                what.run();
            }
            Event event = events.poll();
            if (event == null) {
                over = true;
                continue;
            }
            Actor actor = event.actor;
            if (actor != null && (event.version != actor.version || actor.machine.dead)) {
                continue;
            }
            if (actor != null && actor.machine.resumeAt > Math.max(now, event.at)) {
                events.add(actor.machine.resumeAt + 1000, actor);
                continue;
            }
            now = Math.max(now, event.at);
            steps++;
            alive = steps;
            hash = Dice.mix(hash + now) ^ (actor == null ? 1 : actor.name.hashCode());
            if (actor == null) {
                java.util.Objects.requireNonNull(event.what).run();
                continue;
            }
            actor.state = State.RUNNING;
            actor.version++;
            current = actor;
            Hooks.fuel(pace.fuel());
            return actor;
        }
    }

    /** Runs the world until it is over, and then ends what is left of it. */
    void run() {
        returned = false;
        Actor first = pick();
        if (first != null) {
            give(first);
            awaitReturn();
        }
        over = true;
        for (int i = 0; i < threads.size(); i++) {
            ActorThread thread = threads.get(i);
            if (thread.isFinished()) {
                continue;
            }
            current = thread.actor;
            returned = false;
            Hooks.unwind();
            resume(thread);
            awaitReturn();
        }
        current = null;
    }

    private void awaitReturn() {
        long seen = -1;
        @Nullable ActorThread watched = null;
        long since = System.nanoTime();
        long computed = 0;
        while (!returned) {
            LockSupport.parkNanos(this, 1_000_000_000L);
            ActorThread thread = holder;
            if (seen != alive || thread == null || thread != watched || thread.isCalled()) {
                seen = alive;
                watched = thread;
                since = System.nanoTime();
                computed = computed(thread);
            } else if (System.nanoTime() - since > STUCK && !computes(thread) && seen == alive && !returned) {
                throw new IllegalStateException("an actor blocks for real: " + stuck(thread));
            } else if (computed(thread) - computed > STUCK) {
                throw new Endless("an actor computes without end: " + stuck(thread));
            }
        }
    }

    /** Who computes may be kept from it by a busy machine; who blocks is never woken. */
    private static boolean computes(ActorThread thread) {
        return thread.getState() == Thread.State.RUNNABLE;
    }

    /** Returns for how long it has had a processor. */
    private static long computed(@Nullable ActorThread thread) {
        return thread == null ? 0 : ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
    }

    /** Something goes on for ever without a step: so would a thread of production. */
    static final class Endless extends IllegalStateException {
        private static final long serialVersionUID = 1;

        Endless(String what) {
            super(what);
        }
    }

    private String stuck(ActorThread thread) {
        StringBuilder text = new StringBuilder(String.valueOf(current));
        for (StackTraceElement element : thread.getStackTrace()) {
            text.append("\n    at ").append(element);
        }
        return text.toString();
    }
}
