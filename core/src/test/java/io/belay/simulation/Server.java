package io.belay.simulation;

import io.belay.internal.Inside;
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
final class Server {
    private static final long ORIGIN = 1_800_000_000_000_000L;

    private final World world;
    private final TreeMap<String, Resource> resources = new TreeMap<>();
    private final long drift;
    private final List<Line> lines = new ArrayList<>();
    /** Which run of it this is. */
    private long run = 1;

    private boolean down;
    /** What the replica has, while it lags. */
    private @Nullable TreeMap<String, Resource> replica;

    private long ahead;

    Server(World world, long drift) {
        this.world = world;
        this.drift = drift;
    }

    void join(Line line) {
        lines.add(line);
    }

    void part(Line line) {
        lines.remove(line);
    }

    List<Line> lines() {
        return lines;
    }

    /** The store's time, in microseconds. */
    long micros() {
        long micros = world.scheduler.now() / 1000;
        return ORIGIN + micros + micros / 1_000_000 * drift + ahead;
    }

    boolean isDown() {
        return down;
    }

    void crash() {
        down = true;
        run++;
    }

    void restart() {
        down = false;
    }

    /** Another server takes over, which knows the same, with a clock that is ahead. */
    void failOver(long clockAhead) {
        run++;
        ahead += clockAhead;
    }

    /** The replica no longer hears what is done here. */
    void lag() {
        if (replica == null) {
            replica = new TreeMap<>(resources);
        }
    }

    /** The replica hears all again. */
    void catchUp() {
        replica = null;
    }

    boolean isLagging() {
        return replica != null;
    }

    /** The replica takes over as it is. */
    void promote() {
        run++;
        if (replica != null) {
            resources.clear();
            resources.putAll(replica);
            replica = null;
            world.rules.forgetWhoLeft();
        }
    }

    /** What the replica has of a resource. */
    Resource replicated(String name) {
        return replica == null ? resource(name) : replica.getOrDefault(name, Resource.UNUSED);
    }

    /** Stamps an answer with who gave it, and how many replicas have it where clients ask for that. */
    Answer stamp(Answer answer) {
        Answer stamped = answer.from(run);
        return world.plan.has(Fault.REPLICAS) ? stamped.confirmedBy(new Confirmation(isLagging() ? 0 : 1, 1)) : stamped;
    }

    Resource resource(String name) {
        return resources.getOrDefault(name, Resource.UNUSED);
    }

    /** Runs a request. The pushes are handed to the lines of their owners. */
    Step run(Request request) {
        Resource before = resource(request.resource());
        long now = micros();
        Request ran = Inside.request(before, request);
        Step step = Inside.step(before, ran, now, ran.applyTo(before, now));
        world.rules.judge(before, step.next(), request, now);
        if (step.next() == Resource.UNUSED) {
            resources.remove(request.resource());
        } else {
            resources.put(request.resource(), step.next());
        }
        for (Push push : step.pushes(request.resource())) {
            Push stamped = new Push(
                    push.resource(),
                    push.id(),
                    push.sequence(),
                    push.granted(),
                    push.wanted(),
                    push.time(),
                    push.deadline(),
                    run);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).client == push.id().client()) {
                    lines.get(i).push(stamped);
                }
            }
        }
        return step;
    }

    Store.Snapshot inspect(String name) {
        return new Store.Snapshot(micros(), Optional.ofNullable(resources.get(name)));
    }

    /** The claims that are listed though everybody has gone. */
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
