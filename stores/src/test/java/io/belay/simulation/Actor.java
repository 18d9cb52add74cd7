package io.belay.simulation;

import org.jspecify.annotations.Nullable;

/** Something that a machine does by itself, on a thread of its own: it goes on when the {@link Scheduler} says so. */
final class Actor {
    /** How an actor stands. */
    enum State {
        /** It goes on at an instant that is set. */
        READY,
        /** It is the one that runs. */
        RUNNING,
        /** It waits to be woken, or for an instant. */
        PARKED,
        /** It waits for a lock. */
        BLOCKED,
        /** It has done what it was there for. */
        DONE
    }

    final String name;
    final Machine machine;
    final Runnable body;
    /** Whether its delay may cost a lease: it belongs to the client and not to a user. */
    final boolean engine;

    State state = State.READY;
    /** Counts what it was told to wait for, so that an event that is out of date is known. */
    int version;

    @Nullable
    ActorThread thread;

    @Nullable
    Object blockedOn;

    private boolean permit;
    private boolean interrupted;

    Actor(String name, Machine machine, boolean engine, Runnable body) {
        this.name = name;
        this.machine = machine;
        this.engine = engine;
        this.body = body;
    }

    /** Spares it the next parking. */
    void permit() {
        permit = true;
    }

    boolean takePermit() {
        boolean had = permit;
        permit = false;
        return had;
    }

    void interrupt() {
        interrupted = true;
        permit = true;
    }

    boolean isInterrupted() {
        return interrupted;
    }

    boolean takeInterrupt() {
        boolean was = interrupted;
        interrupted = false;
        return was;
    }

    @Override
    public String toString() {
        return machine.name + "." + name;
    }
}
