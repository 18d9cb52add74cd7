package io.belay.internal.machine;

import io.belay.internal.machine.SimSetup.Mishap;
import io.belay.internal.machine.Violation.Kind;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the store does in the search, and what others do to it. */
final class SimStore {
    /** A request that is run: in which state of the store, which of the values it is, or its message, and when. */
    private record Asked(int store, int what, int tick, int server) {}

    /** What came of it: the state then, the messages to the clients, the answer's (-1 if there is none), and what it broke. */
    private record Run(
            int next, int[] pushes, int answer, @Nullable Violation violation) {}

    /** A state of the store, and of which of its tombstones' claims an enter is in flight. */
    private record Full(int store, long entering) {}

    private final SimSetup setup;
    private final Mutant mutant;
    private final Values values;
    private final Map<Asked, Run> runs = new HashMap<>();
    private final Map<Full, Integer> simple = new HashMap<>();

    SimStore(SimSetup setup, Mutant mutant, Values values) {
        this.setup = setup;
        this.mutant = mutant;
        this.values = values;
    }

    Resource of(SimWorld world) {
        return (Resource) values.get(world.store);
    }

    /** Runs the request of a message, and answers unless the answer fails; returns what it broke. */
    @Nullable
    Violation run(SimWorld next, int message, boolean answers) {
        SimMessage.Asked asked = (SimMessage.Asked) values.get(message);
        Run run = run(next, message, asked.request());
        follow(next, run);
        if (answers && run.answer >= 0 && next.clients[asked.client()].life != SimClient.Life.DEAD) {
            next.add(run.answer);
        }
        return run.violation;
    }

    /** Runs a request once in each state of the store and at each time, however many states of everything have them in common. */
    private Run run(SimWorld world, int what, Request request) {
        Asked asked = new Asked(world.store, what, world.tick, world.server);
        Run before = runs.get(asked);
        if (before == null) {
            before = run(world, values.get(what) instanceof SimMessage.Asked message ? message : null, request);
            runs.put(asked, before);
        }
        return before;
    }

    private Run run(SimWorld world, SimMessage.@Nullable Asked message, Request asked) {
        Resource before = of(world);
        long now = world.micros();
        Step step;
        try {
            Request request = mutant.request(before, asked);
            step = mutant.step(before, request, now, request.applyTo(before, now));
        } catch (IllegalArgumentException e) {
            return new Run(world.store, new int[0], -1, new Violation(Kind.ERROR, e.toString()));
        }
        int[] pushes = step.pushes(SimWorld.NAME).stream()
                .mapToInt(push -> values.number(pushed(push, world.server)))
                .toArray();
        int answer = -1;
        if (message != null && message.sent().number() > 0) {
            Answer plain = plain(step.answer(), message.sent().leave()).from(world.server);
            answer = values.number(
                    new SimMessage.Answered(message.client(), message.id(), plain, false, message.sent()));
        }
        return new Run(values.number(step.next()), pushes, answer, SimChecks.revoked(before, step.next(), asked, now));
    }

    private SimMessage.Pushed pushed(Push push, int server) {
        int to = (int) push.id().client();
        boolean wanted = push.wanted() && setup.roles().get(to).terms().spec.sticky(); // others make nothing of it
        return new SimMessage.Pushed(to, push.withWanted(wanted).from(server));
    }

    /** Returns the answer without what no decision depends on. */
    private static Answer plain(Answer a, boolean leave) {
        boolean waits = a.state() == Answer.State.WAITING;
        Answer plain = Answer.of(a.state(), leave ? 0 : a.time())
                .withClaim(a.sequence(), leave ? 0 : a.deadline())
                .withReweights(a.reweights())
                .withRefusal(a.refusal());
        return leave
                ? plain
                : plain.withPlace(waits ? a.place() : 0).withQueue(waits ? a.expiry() : 0, Math.min(1, a.waiters()));
    }

    private void follow(SimWorld next, Run run) {
        if (setup.has(Mishap.SETBACK) && run.next != next.store) {
            next.before = next.store;
        }
        next.store = run.next;
        for (int push : run.pushes) {
            if (next.clients[((SimMessage) values.get(push)).client()].life != SimClient.Life.DEAD) {
                next.add(push);
            }
        }
    }

    /** Takes what others may bring about: a request of somebody else, an operator, a new server. */
    void others(SimWorld world, SimMoves.Sink sink) {
        if (!setup.prompt()) {
            Request nothing = Request.Leave.of(SimWorld.NAME, ClaimId.of(-1, 0), false);
            byOthers(world.copy(), nothing, "somebody else's request runs", sink);
        }
        Resource now = of(world);
        if (world.has(Mishap.RESIZE) && now.capacity() > 1) {
            Request shrink = Request.Resize.of(SimWorld.NAME, now.capacity() - 1);
            byOthers(world.with(Mishap.RESIZE), shrink, "the capacity shrinks", sink);
        }
        if (world.has(Mishap.EVICTION) && now.granted() > 0) {
            byOthers(world.with(Mishap.EVICTION), Request.Evict.of(SimWorld.NAME), "all is taken by force", sink);
        }
        if (world.has(Mishap.FAILOVER) && SimChecks.nobodyKnowsOfAGrant(world, values)) {
            SimWorld next = world.with(Mishap.FAILOVER);
            next.server++;
            sink.reached(next, () -> "another server takes over, its clock " + SimSetup.SHIFT + " ticks ahead", null);
        }
        if (world.has(Mishap.SETBACK) && world.before != world.store) {
            SimWorld next = world.with(Mishap.SETBACK);
            next.server++;
            next.store = next.before;
            sink.reached(next, () -> "another server takes over, which has missed the last write", null);
        }
    }

    private void byOthers(SimWorld next, Request request, String words, SimMoves.Sink sink) {
        Run run = run(next, values.number(request), request);
        if (run.next != next.store) {
            follow(next, run);
            sink.reached(next, () -> words, run.violation);
        }
    }

    /**
     * Forgets what no decision depends on, so that states that behave alike are equal: when claims entered, until when an empty
     * resource is kept, tombstones of ids of which no enter is in flight (their owners send none any more), and answers that
     * nobody waits for.
     */
    void simplify(SimWorld next) {
        for (int number : next.net) {
            if (values.get(number) instanceof SimMessage.Answered answered && isUnwanted(next, answered)) {
                next.remove(number);
            } else if (!(values.get(number) instanceof SimMessage.Asked)
                    && next.clients[((SimMessage) values.get(number)).client()].life == SimClient.Life.DEAD) {
                next.remove(number);
            }
        }
        next.store = simple.computeIfAbsent(new Full(next.store, entering(next)), this::simple);
    }

    /** Returns of which of the tombstones' claims an enter is in flight, a bit for each. */
    private long entering(SimWorld world) {
        List<Resource.Tombstone> stones = of(world).tombstones();
        long entering = 0;
        for (int i = 0; i < stones.size(); i++) {
            entering |= isEntering(world, stones.get(i).id()) ? 1L << i : 0;
        }
        return entering;
    }

    private int simple(Full full) {
        Resource store = (Resource) values.get(full.store);
        List<Resource.Tombstone> stones = IntStream.range(0, store.tombstones().size())
                .filter(i -> (full.entering >> i & 1) > 0)
                .mapToObj(i -> Resource.Tombstone.of(store.tombstones().get(i).id(), Long.MAX_VALUE))
                .sorted(Comparator.comparing(t -> t.id().toString()))
                .toList();
        List<Claim> claims = store.claims().stream()
                .map(claim -> claim.withEntered(0).withLocalWaiters(0))
                .toList();
        return values.number(Resource.of(store.last(), store.capacity())
                .withResized(store.resized())
                .withClaims(claims, store.granted())
                .withTombstones(stones));
    }

    /** Returns whether a request of a claim, or an answer, is in flight. */
    boolean isAbout(SimWorld world, ClaimId id) {
        for (int number : world.net) {
            Object message = values.get(number);
            if (message instanceof SimMessage.Asked asked && asked.id().equals(id)
                    || message instanceof SimMessage.Answered answered
                            && answered.id().equals(id)) {
                return true;
            }
        }
        return false;
    }

    private boolean isEntering(SimWorld world, ClaimId id) {
        for (int number : world.net) {
            if (values.get(number) instanceof SimMessage.Asked asked
                    && asked.request() instanceof Request.Enter enter
                    && enter.id().equals(id)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnwanted(SimWorld world, SimMessage.Answered answered) {
        SimClient client = world.clients[answered.client()];
        Stay stay = client.find(answered.id());
        if (stay == null) {
            return !client.isKept(answered.id());
        }
        return stay.isOver() && !answered.sent().leave() && stay.leaves > 0 && !stay.isEndPending();
    }
}
