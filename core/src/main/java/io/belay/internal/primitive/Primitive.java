package io.belay.internal.primitive;

import io.belay.Lease;
import io.belay.LockMode;
import io.belay.internal.claim.Engine;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Hold;
import io.belay.internal.gate.Messages;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Something with a name in one client's store, as users see it. */
abstract class Primitive {
    final Gates gates;
    final Engine engine;
    final String name;
    private final Class<?> kind;

    /** Makes one that users know by that interface. */
    Primitive(Class<?> kind, Gates gates, String name) {
        this.kind = kind;
        this.gates = gates;
        this.name = name;
        engine = gates.engine;
    }

    public final String name() {
        return name;
    }

    /** Refuses what needs several claims side by side, as far as the store is known not to have them. */
    final void checkSharing() {
        if (!engine.capabilities().sharing()) {
            throw Messages.refusal(name, "this store has exclusive locks alone");
        }
    }

    /** Asks the store, and waits for its answer; {@code what} says what for. */
    final Store.Snapshot look(String what) {
        return engine.await(() -> engine.inspect(name), what + " '" + name + "'");
    }

    /** Has a request done, and waits for its answer; {@code what} says what for. */
    final Answer send(Request request, String what) {
        return engine.await(() -> engine.send(request), what);
    }

    /** Returns the claims that have a part of the resource. */
    static Stream<Claim> holders(Store.Snapshot seen) {
        return seen.resource().stream()
                .flatMap(resource -> resource.holders().stream())
                .filter(claim -> claim.deadline() > seen.time());
    }

    /** Returns the claim that has all of the resource, as who leads has; empty while there is none, as readers have it, say. */
    static Optional<Claim> whole(Store.Snapshot seen) {
        return holders(seen).filter(claim -> claim.weight() == Resource.WHOLE).findFirst();
    }

    /** Returns the capacity by which the resource is used, or that is kept for it; empty if the next to come decides it. */
    static Optional<Integer> capacity(Store.Snapshot seen) {
        return seen.resource()
                .filter(resource -> !resource.claims().isEmpty() || resource.resized())
                .map(Resource::capacity);
    }

    /** Returns the hold that a lease of this client for that name and use is, and throws if it is another's. */
    final Hold own(Lease lease) {
        if (lease instanceof Hold hold
                && hold.name().equals(name)
                && hold.gate.engine == engine
                && (hold.mode() == LockMode.PERMITS) == (this instanceof Semaphore)) {
            return hold;
        }
        throw new IllegalArgumentException(lease + " is no lease of this client's for the " + this);
    }

    /**
     * Makes a hold one of that weight, and throws, with such a refusal, if it is lost or being made a larger one. Whoever listens
     * to the one is told of the other's loss if {@code told}.
     */
    static Hold reduced(Hold hold, int weight, boolean told, String refusal) {
        @Nullable Hold next = hold.gate.<@Nullable Hold>ask(machine -> (Hold) machine.downgrade(hold, weight, told));
        if (next == null) {
            hold.ensureHeld();
            throw hold.notHeld("The lease of '" + hold.name() + "' " + refusal);
        }
        return next;
    }

    @Override
    public final String toString() {
        return kind.getSimpleName() + " '" + name + "'";
    }
}
