package io.belay.simulation;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What kind of store the clients of a world use. */
enum Shape {
    /** The reference model at the other end of a network. */
    NETWORK(),
    /** The reference model inside the call. Who has such a store is in one process with it. */
    ONCE(
            Fault.DRIFT,
            Fault.MONOTONIC_STEPS,
            Fault.SUSPENSIONS,
            Fault.STOPS,
            Fault.DEATHS,
            Fault.STORE_CRASHES,
            Fault.FAILOVERS,
            Fault.REPLICAS),
    /**
     * A database of documents. A connection carries one call at a time, over a protocol that neither doubles anything nor
     * lets it overtake; what replicas must have, and that the server that takes over has the same time, is the database's own
     * affair.
     */
    DOCUMENTS(Fault.DOUBLED_MESSAGES, Fault.OVERTAKING, Fault.REPLICAS, Fault.FAILOVERS, Fault.FULL_STORE),
    /**
     * A service of nodes. Nothing is sent twice, what is answered is on a majority, and who takes over has no clock of its
     * own that counts. Not borne yet is a monotonic clock that jumps ahead: a client that takes its lease or session for ended
     * asks for no leave, and a node that was kept alive all the same stays.
     */
    NODES(Fault.DOUBLED_MESSAGES, Fault.FAILOVERS, Fault.REPLICAS, Fault.MONOTONIC_STEPS, Fault.FULL_STORE);

    /** What cannot go wrong there. */
    private final Set<Fault> impossible = EnumSet.noneOf(Fault.class);

    Shape(Fault... impossible) {
        this.impossible.addAll(Set.of(impossible));
    }

    static Shape drawn(Dice dice) {
        return dice.of(
                NETWORK, NETWORK, NETWORK, NETWORK, NETWORK, NETWORK, ONCE, ONCE, DOCUMENTS, DOCUMENTS, DOCUMENTS,
                DOCUMENTS, NODES, NODES, NODES, NODES);
    }

    static Shape parse(String text) {
        try {
            return valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "no kind of store is called " + text + "; there are " + List.of(values()), e);
        }
    }

    boolean allows(Fault fault) {
        return !impossible.contains(fault);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
