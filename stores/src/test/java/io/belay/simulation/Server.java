package io.belay.simulation;

import io.belay.internal.machine.UncuredMachines;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.Confirmation;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The store itself: the reference model in a map. It keeps what it knows when it ends. */
final class Server extends Backend {
    private final TreeMap<String, Resource> resources = new TreeMap<>();
    /** What the replica has, while it lags. */
    private @Nullable TreeMap<String, Resource> replica;

    Server(World world, long drift) {
        super(world, drift);
    }

    @Override
    Store open(Site site, long client, Store.Listener listener) {
        return new Line(this, site.machine, client, listener);
    }

    @Override
    void lag() {
        if (replica == null) {
            replica = new TreeMap<>(resources);
        }
    }

    @Override
    void catchUp() {
        replica = null;
    }

    @Override
    boolean isLagging() {
        return replica != null;
    }

    @Override
    void promote() {
        takeOver();
        if (replica != null) {
            resources.clear();
            resources.putAll(replica);
            replica = null;
            world.rules.forgetWhoLeft();
        }
    }

    @Override
    Resource replicated(String name) {
        return replica == null ? resource(name) : replica.getOrDefault(name, Resource.UNUSED);
    }

    /** Stamps an answer with who gave it, and how many replicas have it where clients ask for that. */
    Answer stamp(Answer answer) {
        Answer stamped = answer.from(server());
        return world.plan.has(Fault.REPLICAS) ? stamped.confirmedBy(Confirmation.of(isLagging() ? 0 : 1, 1)) : stamped;
    }

    @Override
    Resource resource(String name) {
        return resources.getOrDefault(name, Resource.UNUSED);
    }

    /** Runs a request. The pushes are handed to the lines of their owners. */
    Step run(Request request) {
        Resource before = resource(request.resource());
        long now = micros();
        Request ran = UncuredMachines.request(before, request);
        Step step = UncuredMachines.step(before, ran, now, ran.applyTo(before, now));
        world.rules.judge(before, step.next(), request, now);
        if (step.next() == Resource.UNUSED) {
            resources.remove(request.resource());
        } else {
            resources.put(request.resource(), step.next());
        }
        for (Push push : step.pushes(request.resource())) {
            Push stamped = push.from(server());
            for (int i = 0; i < links().size(); i++) {
                if (links().get(i) instanceof Line line
                        && line.client == push.id().client()) {
                    line.push(stamped);
                }
            }
        }
        return step;
    }

    Store.Snapshot inspect(String name) {
        return Store.Snapshot.of(micros(), Optional.ofNullable(resources.get(name)));
    }

    Store.NamePage names(String prefix) {
        return Store.NamePage.last(resources.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .toList());
    }

    @Override
    void evict(String name) {
        run(Request.Evict.of(name));
    }

    @Override
    List<Claim> leftovers() {
        List<Claim> left = new ArrayList<>();
        long now = micros();
        resources
                .values()
                .forEach(resource -> resource.claims().forEach(claim -> {
                    if (claim.deadline() > now) {
                        left.add(claim);
                    }
                }));
        return left;
    }
}
