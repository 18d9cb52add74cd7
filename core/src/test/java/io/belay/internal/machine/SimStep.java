package io.belay.internal.machine;

import io.belay.internal.machine.Violation.Kind;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What came of a step of a client: the client then, what it sent, and what its callers were told. */
final class SimStep {
    /** For a request whose answer nobody waits for. */
    static final Sent NOBODYS = new Sent(0, 0, 0, true, false);

    final int tick;
    final Mutant mutant;
    private final long now;
    final List<SimMessage> sent = new ArrayList<>();
    /** The tokens of those who were given the lock. */
    final List<Long> tokens = new ArrayList<>(1);

    /** Until when the store keeps what was given back, as its caller was told; 0 if none was. */
    long kept;

    /** Whether it need not be kept any longer. */
    boolean frees;

    @Nullable
    Violation violation;

    SimClient client;
    int[] numbers = {};
    private final Map<Stay, Known> before = new IdentityHashMap<>();

    SimStep(SimClient client, int tick, Mutant mutant) {
        this.client = client;
        this.tick = tick;
        this.mutant = mutant;
        now = client.nanos(tick);
        for (SimShell shell : client.shells) {
            for (Stay stay : shell.stays) {
                before.put(stay, stay.known);
            }
        }
    }

    /** Returns what was known of a claim before. */
    @Nullable
    Known before(Stay stay) {
        return before.get(stay);
    }

    /** A caller is told that the store keeps what it gave back. */
    void kept(Stay stay) {
        if (!stay.changing().isOver(now)
                && stay.weight() == client.role.terms().spec.capacity()) { // else others may hold beside it
            kept = Math.max(kept, end(stay));
        }
    }

    /** Returns until when the store keeps what was given back, by its clock. */
    long end(Stay stay) {
        return now / 1000 + stay.changing().lease(now) + client.slept * SimWorld.MICROS;
    }

    long now() {
        return now;
    }

    void send(SimMessage message) {
        sent.add(message);
    }

    void violate(Kind kind, String text) {
        violation = violation == null ? new Violation(kind, text) : violation;
    }
}
