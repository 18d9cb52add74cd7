package io.belay.internal.gate;

/** The look at those of one gate who wait, or hold, for longer than the user thinks right. Guarded by the gate's lock. */
final class GateWatch {
    private final Gate gate;
    private final Surroundings around;
    private boolean watched;

    GateWatch(Gate gate, Surroundings around) {
        this.gate = gate;
        this.around = around;
    }

    /** Notes that somebody waits. */
    void waits() {
        if (around.slowWait() != Long.MAX_VALUE) {
            begin();
        }
    }

    /** Notes that somebody holds. */
    void holds() {
        if (around.longHold() != Long.MAX_VALUE) {
            begin();
        }
    }

    private void begin() {
        if (!watched) {
            watched = true;
            around.watch(gate);
        }
    }

    void end() {
        if (watched) {
            watched = false;
            around.unwatch(gate);
        }
    }

    /** Tells waits and holds that have lasted for too long, each once; looks no more if there is none. */
    void look(long now) {
        boolean[] any = new boolean[1];
        if (around.slowWait() != Long.MAX_VALUE) {
            gate.forEachWaiter(waiter -> any[0] |= look(waiter, now));
        }
        if (around.longHold() != Long.MAX_VALUE) {
            gate.forEachHold(hold -> any[0] |= look(hold, now));
        }
        if (!any[0]) {
            end();
        }
    }

    /** Tells a wait that is slow; returns whether to look at it again. */
    private boolean look(Waiter waiter, long now) {
        boolean known = waiter.told;
        if (!known && waiter.waited(now) >= around.slowWait()) {
            waiter.told = true;
            gate.steps.later(() -> around.slow(waiter));
        }
        return !known;
    }

    /** Tells a hold that is long; returns whether to look at it again. */
    private boolean look(Hold hold, long now) {
        boolean known = hold.told;
        if (!known && now - hold.acquired >= around.longHold()) {
            hold.told = true;
            gate.steps.later(() -> around.longHeld(hold));
        }
        return !known;
    }
}
