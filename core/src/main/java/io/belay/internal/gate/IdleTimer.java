package io.belay.internal.gate;

import io.belay.internal.time.Timers;

/** The timer that gives a sticky lock's claim back once nobody has used it for a while. Guarded by the gate's lock. */
final class IdleTimer extends Timers.Timer {
    private final ExclusiveGate gate;
    private final long idle;
    private long since;
    private boolean set;

    /** Makes a timer; {@code idle} is in nanoseconds, 0 for a gate that keeps nothing. */
    IdleTimer(ExclusiveGate gate, long idle) {
        this.gate = gate;
        this.idle = idle;
    }

    boolean mayKeep() {
        return idle > 0;
    }

    /** Notes that the claim was used until now. The timer is set once for many uses. */
    void used(long now) {
        since = now;
        if (!set) {
            set(now + idle);
        }
    }

    /** Sets the timer for a claim that nobody has used, unless it is set already. */
    void unused(long now) {
        if (!set) {
            used(now);
        }
    }

    private void set(long at) {
        set = true;
        gate.engine().timers().schedule(this, at);
    }

    /** Returns whether to give back now that the timer has fired; sets it again if it is too early for that. */
    boolean isOver(long now, boolean inUse) {
        set = false;
        if (inUse) {
            return false;
        }
        boolean over = now - since >= idle;
        if (!over) {
            set(since + idle);
        }
        return over;
    }

    void cancel() {
        if (set) {
            set = false;
            gate.engine().timers().cancel(this);
        }
    }

    @Override
    public void fire(long now) {
        gate.idle(now);
    }
}
