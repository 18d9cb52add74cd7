package io.belay.internal;

/** Gives back what a sticky lock's gate keeps, once nobody has used it for a while. All under the gate's lock. */
final class IdleTimer extends Timers.Timer {
    private final ExclusiveGate gate;
    private final long idle;
    private long since;
    private boolean set;

    /** {@code idle} in nanoseconds; 0 for a gate that keeps nothing. */
    IdleTimer(ExclusiveGate gate, long idle) {
        this.gate = gate;
        this.idle = idle;
    }

    boolean mayKeep() {
        return idle > 0;
    }

    /** It was used until now. The timer is set once for many uses. */
    void used(long now) {
        since = now;
        if (!set) {
            set(now + idle);
        }
    }

    /** Nobody has used it, or it is kept already. */
    void unused(long now) {
        if (!set) {
            used(now);
        }
    }

    private void set(long at) {
        set = true;
        gate.engine().timers().schedule(this, at);
    }

    /** The timer has fired: whether it is time to give back, and else it is set again. */
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
    void fire(long now) {
        gate.idle(now);
    }
}
