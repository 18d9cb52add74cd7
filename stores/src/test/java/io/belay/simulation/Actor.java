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
    /** When somebody interrupted it last, and whether it is yet to be told, or to keep that. */
    long interruptedAt = Long.MIN_VALUE / 2;

    private boolean isToBeTold;
    /** When it was told last. */
    private long told = Long.MIN_VALUE / 2;

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

    /** Is interrupted by somebody who wants it to stop. */
    void interrupt(long now) {
        interruptedAt = isToBeTold ? interruptedAt : now;
        isToBeTold = true;
        interrupt();
    }

    /** Whether it was interrupted and has not been told. */
    boolean isToBeTold() {
        return isToBeTold;
    }

    /** It is told; says whether it was interrupted, or was told so since then, as of several waits that end as one. */
    boolean tell(long now, long since) {
        told = isToBeTold ? now : told;
        isToBeTold = interrupted; // once more, while it was about to be told
        interruptedAt = now;
        return told >= since;
    }

    /** Whether it was interrupted, and neither told nor kept so for later. */
    boolean hasMissedAnInterrupt() {
        return isToBeTold && !interrupted;
    }

    @Override
    public String toString() {
        return machine.name + "." + name;
    }
}
