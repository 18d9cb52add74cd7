package io.belay.internal.gate;

import io.belay.Inspection;
import io.belay.LockMode;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.Shown;
import io.belay.internal.machine.Machine;
import io.belay.internal.machine.Present;
import io.belay.internal.machine.Terms;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The translation of what the store keeps of a resource, and what this client knows better, into what users see. */
public final class Inspections {
    private Inspections() {}

    /** Asks the store, and waits for its answer. */
    public static Inspection of(Gates gates, String name) {
        Engine engine = gates.engine;
        return of(gates, name, engine.await(() -> engine.inspect(name), "Inspecting the lock '" + name + "'"));
    }

    static Inspection of(Gates gates, String name, Store.Snapshot snapshot) {
        Engine engine = gates.engine;
        Map<ClaimId, LocalClaimInfo> own = gates.localInfo(name);
        Resource resource = snapshot.resource().orElse(Resource.UNUSED);
        List<Inspection.Claim> claims = IntStream.range(0, resource.claims().size())
                .filter(i -> resource.claims().get(i).deadline() > snapshot.time())
                .mapToObj(i -> Claim.of(resource, i, snapshot.time(), own, engine))
                .toList();
        return new Shown.Claims(name, claims);
    }

    /** A claim on a lock. */
    private record Claim(
            String client,
            String host,
            long process,
            String thread,
            String behalf,
            int place,
            long token,
            LockMode mode,
            int permits,
            Duration age,
            Optional<Duration> held,
            Optional<Duration> heard,
            Duration remaining,
            int localWaiters,
            Optional<String> waitsFor,
            boolean own)
            implements Inspection.Claim {
        static Inspection.Claim of(
                Resource resource, int at, long now, Map<ClaimId, LocalClaimInfo> known, Engine engine) {
            var claim = resource.claims().get(at);
            LocalClaimInfo own = known.get(claim.id());
            Owner owner = claim.owner();
            Present present = own == null ? null : own.present();
            boolean granted = at < resource.granted();
            Optional<Duration> held = Optional.empty();
            if (granted && present != null) {
                owner = owner.withThread(present.thread(), present.behalf());
                held = Optional.of(Duration.ofNanos(engine.time.nanos() - present.since()));
            } else if (granted && own != null) {
                owner = owner.withThread("", ""); // this client keeps it, and the store may not know that yet
            } else if (granted && owner.since() > 0) {
                held = Optional.of(Shown.micros(now - Math.max(owner.since(), claim.entered()))); // as clocks round
            }
            // An end that was moved does not tell when the owner has renewed last.
            boolean heard = owner.lease() > 0
                    && !claim.pending()
                    && claim.fixedLease() == 0
                    && claim.deadline() - now <= owner.lease();
            return new Claim(
                    owner.client(),
                    owner.host(),
                    owner.process(),
                    owner.thread(),
                    owner.namedBehalf(),
                    granted ? 0 : at - resource.granted() + 1,
                    granted ? Machine.firstToken(claim.sequence()) : 0,
                    Terms.mode(resource.capacity(), claim.weight()),
                    Gates.permits(resource.capacity(), claim.weight()),
                    Shown.micros(now - claim.entered()),
                    held,
                    heard ? Optional.of(Shown.micros(now - (claim.deadline() - owner.lease()))) : Optional.empty(),
                    Shown.micros(claim.deadline() - now),
                    own != null ? own.localWaiters() : claim.localWaiters(),
                    granted ? WaitNote.of(claim.owner()).map(WaitNote::waitsFor) : Optional.empty(),
                    claim.id().client() == engine.number());
        }
    }
}
