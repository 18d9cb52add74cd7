package io.belay.internal.machine;

/** A question to a machine that is answered once. */
final class SimTicket extends Caller.Ticket {
    final boolean upgrades;

    SimTicket(Caller hold, boolean upgrades) {
        super(hold);
        this.upgrades = upgrades;
    }
}
