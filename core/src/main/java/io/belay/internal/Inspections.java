package io.belay.internal;

import io.belay.Inspection;
import io.belay.internal.claim.Engine;
import io.belay.internal.gate.ClientTurn;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.LocalClaimInfo;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The translation of what the store keeps of a resource, and what this client knows better, into what users see. */
final class Inspections {
    private Inspections() {}

    static Inspection of(Gates gates, String name) {
        Engine engine = gates.engine();
        Store.Snapshot snapshot = engine.await(engine.inspect(name), "Inspecting the lock '" + name + "'");
        Map<ClaimId, LocalClaimInfo> own =
                gates.localInfo(name).stream().collect(Collectors.toMap(LocalClaimInfo::id, Function.identity()));
        List<Inspection.Claim> claims = new ArrayList<>();
        snapshot.resource().ifPresent(resource -> {
            for (int i = 0; i < resource.claims().size(); i++) {
                Claim claim = resource.claims().get(i);
                if (claim.deadline() > snapshot.time()) {
                    claims.add(show(resource, i, snapshot.time(), own.get(claim.id()), engine));
                }
            }
        });
        return new Inspection(name, claims);
    }

    private static Inspection.Claim show(
            Resource resource, int at, long now, @Nullable LocalClaimInfo localInfo, Engine engine) {
        Claim claim = resource.claims().get(at);
        Owner owner = claim.owner();
        boolean granted = at < resource.granted();
        boolean own = claim.id().client() == engine.number();
        String thread = localInfo != null && localInfo.thread() != null ? localInfo.thread() : owner.thread();
        int place = granted ? 0 : at - resource.granted() + 1;
        return Inspection.Claim.of(owner.client(), owner.host(), owner.process(), thread)
                .withPlace(place, granted ? ClientTurn.firstToken(claim.sequence()) : 0)
                .withTimes(micros(now - claim.entered()), micros(claim.deadline() - now))
                .withClient(localInfo != null ? localInfo.localWaiters() : claim.localWaiters(), own);
    }

    private static Duration micros(long micros) {
        return Duration.ofNanos(Math.multiplyExact(Math.max(0, micros), 1000L));
    }
}
