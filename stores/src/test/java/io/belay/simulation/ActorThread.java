package io.belay.simulation;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread for actors, one after the other. It runs only while it has the baton, which one thread has at a time. */
final class ActorThread extends Thread {
    /** The world is over: unwinds what an actor was about. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1;

        Killed() {
            super("the world is over", null, false, false);
        }
    }

    private static final int MOST_KILLS = 1000;

    private final Scheduler scheduler;
    private volatile boolean turn;
    private volatile boolean finished;
    private int kills;
    /** Whether it was made for one actor that is known by its thread. */
    private final boolean dedicated;

    @Nullable
    Actor actor;

    ActorThread(Scheduler scheduler, int number, boolean dedicated) {
        super("actor-" + number);
        this.scheduler = scheduler;
        this.dedicated = dedicated;
        setDaemon(true);
    }

    /** Gives this thread the baton. */
    void resumeNow() {
        turn = true;
        LockSupport.unpark(this);
    }

    /** Whether it was given the baton, and has not come to take it: a busy machine may keep it waiting for long. */
    boolean isCalled() {
        return turn && isAlive();
    }

    /** Waits for the baton. */
    void awaitTurn() {
        while (!turn) {
            LockSupport.park(this);
        }
        turn = false;
        if (scheduler.isOver()) {
            kill();
        }
    }

    /** Whether the actor for which it was made has still something to do. */
    boolean isUsed() {
        return actor != null && !finished;
    }

    boolean isFinished() {
        return finished;
    }

    /** Unwinds; one that does not let itself be unwound stays where it is for good. */
    void kill() {
        if (++kills > MOST_KILLS) {
            finished = true;
            scheduler.giveBack();
            while (true) {
                LockSupport.park(this);
            }
        }
        throw new Killed();
    }

    @Override
    public void run() {
        try {
            awaitTurn();
            while (actor != null) {
                scheduler.perform(actor);
                if (dedicated) {
                    finished = true;
                    scheduler.leave(this);
                    return;
                }
                scheduler.handOver(this);
            }
        } catch (Killed e) {
            // it is over
        } finally {
            if (!finished) {
                finished = true;
                scheduler.giveBack();
            }
        }
    }
}
