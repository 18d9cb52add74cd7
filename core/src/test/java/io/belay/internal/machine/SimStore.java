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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the store does in the search, and what others do to it. */
final class SimStore {
    private final SimSetup setup;
    private final Mutant mutant;
    private final Values values;

    SimStore(SimSetup setup, Mutant mutant, Values values) {
        this.setup = setup;
        this.mutant = mutant;
        this.values = values;
    }

    Resource of(SimWorld world) {
        return (Resource) values.get(world.store);
    }

    /** Runs a request, and answers unless the answer fails; returns what it broke. */
    @Nullable
    Violation run(SimWorld next, SimMessage.Asked asked, boolean answers) {
        Resource before = of(next);
        Step step;
        try {
            Request request = mutant.request(before, asked.request());
            step = mutant.step(before, request, next.micros(), request.applyTo(before, next.micros()));
        } catch (IllegalArgumentException e) {
            return new Violation(Kind.ERROR, e.toString());
        }
        follow(next, step);
        if (answers && asked.sent().number() > 0 && next.clients[asked.client()].life != SimClient.Life.DEAD) {
            Answer answer = plain(step.answer(), asked.sent().leave()).from(next.server);
            next.add(values.number(new SimMessage.Answered(asked.client(), asked.id(), answer, false, asked.sent())));
        }
        return SimChecks.revoked(before, step.next(), asked.request(), next.micros());
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

    private void follow(SimWorld next, Step step) {
        next.store = values.number(step.next());
        for (Push p : step.pushes(SimWorld.NAME)) {
            int to = (int) p.id().client();
            if (next.clients[to].life != SimClient.Life.DEAD) {
                boolean wanted = p.wanted() && setup.roles().get(to).terms().isSticky(); // others make nothing of it
                next.add(values.number(
                        new SimMessage.Pushed(to, p.withWanted(wanted).from(next.server))));
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
    }

    private void byOthers(SimWorld next, Request request, String words, SimMoves.Sink sink) {
        Resource before = of(next);
        long now = next.micros();
        Step step = mutant.step(before, request, now, request.applyTo(before, now));
        if (step.next() != before) {
            follow(next, step);
            sink.reached(next, () -> words, SimChecks.revoked(before, step.next(), request, now));
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
        Resource store = of(next);
        List<Resource.Tombstone> stones = store.tombstones().stream()
                .filter(t -> isEntering(next, t.id()))
                .map(t -> Resource.Tombstone.of(t.id(), Long.MAX_VALUE))
                .sorted(Comparator.comparing(t -> t.id().toString()))
                .toList();
        List<Claim> claims = store.claims().stream()
                .map(claim -> claim.withEntered(0).withLocalWaiters(0))
                .toList();
        next.store = values.number(Resource.of(store.last(), store.capacity())
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
        return stay.isOver() && !answered.sent().leave() && stay.leaves > 0 && !stay.changing.isEndPending();
    }
}
