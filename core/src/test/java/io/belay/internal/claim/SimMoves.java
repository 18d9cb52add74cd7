package io.belay.internal.claim;

import io.belay.internal.claim.Belief.Phase;
import io.belay.internal.claim.SimClient.SimClaim;
import io.belay.internal.claim.SimClient.State;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that can happen next in a state of the search. */
final class SimMoves {
    /** Takes a state that can be reached in one step; the violation is one of the step itself, or null. */
    interface Sink {
        void reached(SimWorld next, String words, @Nullable Violation violation);
    }

    private final SimSetup setup;
    private final Mutant mutant;
    private final SimActions acting;
    private final Sink sink;
    private final boolean inWords;

    /** Without {@code inWords} all steps are called the same, which is faster. */
    SimMoves(SimSetup setup, Mutant mutant, Sink sink, boolean inWords) {
        this.setup = setup;
        this.mutant = mutant;
        this.sink = sink;
        this.inWords = inWords;
        acting = new SimActions(setup, mutant);
    }

    void from(SimWorld world) {
        for (int i = 0; i < world.clients.length; i++) {
            if (world.clients[i].runs()) {
                script(world, i);
                timers(world, i);
            }
            stopOrGoOn(world, i);
        }
        SimMessage last = null;
        for (SimMessage message : world.net) {
            if (message != last) { // equal messages are one object and neighbours
                deliveries(world, message);
            }
            last = message;
        }
        others(world);
        if (world.tick < setup.horizon() && (!setup.prompt() || isQuiet(world))) {
            tick(world);
        }
    }

    // What clients decide.

    private void script(SimWorld world, int i) {
        SimClient client = world.clients[i];
        SimClaim claim = client.current();
        if (claim == null) {
            // Clients enter for the first time in their order: where their roles are alike nothing is missed by it.
            if (client.enters() > 0 && (client.number() > 0 || i == 0 || world.clients[i - 1].number() > 0)) {
                SimWorld next = world.copy();
                acting.enter(next, i);
                boolean dies = setup.roles().get(i).nature() == SimSetup.Nature.DOOMED;
                if (dies) {
                    next.clients[i] = next.clients[i].crashed();
                }
                emit(next, inWords ? name(i) + (dies ? " enters and crashes" : " enters") : "");
            }
            return;
        }
        boolean granted = claim.belief().phase() == Phase.HELD;
        SimSetup.Nature nature = setup.roles().get(i).nature();
        if (nature == SimSetup.Nature.FREE || (granted && nature != SimSetup.Nature.KEEPER)) {
            SimWorld left = world.copy();
            acting.leave(left, i);
            emit(left, inWords ? name(i) + (granted ? " releases" : " gives up") : "");
            if (setup.roles().get(i).keeps() && claim.belief().isHeld(world.nanos())) {
                SimWorld kept = world.copy();
                acting.leaveAt(kept, i, 2);
                emit(kept, inWords ? name(i) + " leaves it taken" : "");
            }
        }
        if (!claim.belief().isHeld(world.nanos()) || claim.target() != 0) {
            return;
        }
        if (client.yields() > 0) {
            SimWorld next = world.copy();
            acting.yield(next, i);
            emit(next, inWords ? name(i) + " yields" : "");
        }
        if (client.fixes() > 0) {
            for (int ticks = 1; ticks < 5; ticks += 3) {
                SimWorld next = world.copy();
                acting.fix(next, i, ticks);
                emit(next, inWords ? name(i) + " asks for an end in " + ticks : "");
            }
        }
        if (client.reweights() > 0) {
            SimWorld next = world.copy();
            acting.reweight(next, i);
            emit(next, inWords ? name(i) + " asks for another weight" : "");
        }
    }

    private void timers(SimWorld world, int i) {
        SimClient client = world.clients[i];
        SimClaim claim = client.current();
        if (setup.prompt()) {
            if (client.timer() <= world.nanos()) {
                SimWorld next = world.copy();
                acting.fire(next, i);
                emit(next, inWords ? name(i) + "'s timer fires" : "");
            }
        } else if (claim != null) {
            if (claim.belief().at(world.nanos()) != claim.belief()) {
                SimWorld next = world.copy();
                acting.become(next, i, claim.belief().at(world.nanos()));
                emit(next, inWords ? name(i) + " notices that its lease has ended" : "");
            }
            if (client.renews() > 0 && acting.mayRenew(client)) {
                for (int fresh = 0; fresh < (claim.belief().phase() == Phase.HELD ? 2 : 1); fresh++) {
                    SimWorld next = world.copy();
                    acting.renew(next, i, fresh == 1);
                    emit(
                            next,
                            inWords ? name(i) + " renews" + (fresh == 1 ? ", asking for a fresh sequence" : "") : "");
                }
            }
            if (client.resends() > 0 && (claim.inFlight() || claim.target() != 0 || claim.end() != 0)) {
                SimWorld next = world.copy();
                acting.resend(next, i);
                emit(next, inWords ? name(i) + " sends again" : "");
            }
        }
        for (SimClient.Leaving leaving : client.leaving()) {
            if (setup.prompt() ? leaving.resendAt() <= world.nanos() : client.resends() > 0) {
                SimWorld next = world.copy();
                acting.leaveAgain(next, i, leaving);
                emit(next, inWords ? name(i) + " sends its leave of " + name(leaving.id()) + " again" : "");
            }
        }
    }

    private void stopOrGoOn(SimWorld world, int i) {
        SimClient client = world.clients[i];
        if (client.state() == State.PAUSED) {
            SimWorld next = world.copy();
            next.clients[i] = client.in(State.RUNS);
            emit(next, inWords ? name(i) + " goes on" : "");
        }
        if (client.runs() && client.number() > 0) {
            if (world.crashes > 0) {
                SimWorld next = world.copy();
                next.crashes--;
                next.clients[i] = client.crashed();
                next.net.removeIf(m -> m.client() == i && !(m instanceof SimMessage.Asked));
                emit(next, inWords ? name(i) + " crashes" : "");
            }
            if (world.pauses > 0) {
                SimWorld next = world.copy();
                next.pauses--;
                next.clients[i] = client.in(State.PAUSED);
                emit(next, inWords ? name(i) + " stops for a while" : "");
            }
        }
    }

    // What the network and the store do.

    private void deliveries(SimWorld world, SimMessage message) {
        boolean toStore = message instanceof SimMessage.Asked;
        if (!toStore && !world.clients[message.client()].runs()) {
            return;
        }
        if (world.losses > 0) {
            SimWorld next = world.copy();
            next.losses--;
            next.net.remove(message);
            emit(next, inWords ? "lost: " + words(message) : "");
        }
        deliver(world, message, false);
        if (world.duplicates > 0 && !(toStore && ((SimMessage.Asked) message).request() instanceof Request.Enter)) {
            deliver(world, message, true); // an enter is doubled by its owner alone, who then knows that it is unclear
        }
    }

    private void deliver(SimWorld world, SimMessage message, boolean copyStays) {
        SimWorld next = world.copy();
        if (copyStays) {
            next.duplicates--;
        } else {
            next.net.remove(message);
        }
        Violation violation = null;
        if (message instanceof SimMessage.Asked asked) {
            violation = run(next, asked);
        } else if (message instanceof SimMessage.Answered answered) {
            acting.answered(next, answered);
        } else if (message instanceof SimMessage.Pushed pushed) {
            acting.pushed(next, pushed);
        }
        String words = inWords ? words(message) + (copyStays ? " [a copy stays in flight]" : "") : "";
        emit(next, inWords && message instanceof SimMessage.Asked ? words + outcome(next) : words, violation);
    }

    /** The store runs a request. */
    private @Nullable Violation run(SimWorld next, SimMessage.Asked asked) {
        Resource before = next.store;
        long now = next.micros();
        Step step;
        try {
            Request request = mutant.request(before, asked.request());
            step = mutant.step(before, request, now, request.applyTo(before, now));
        } catch (IllegalArgumentException e) {
            return new Violation(Violation.Kind.ERROR, e.toString());
        }
        next.store = step.next();
        pushAll(next, step);
        if (next.clients[asked.client()].isAlive() && asked.request() instanceof Request.OfClaim about) {
            boolean leave = asked.request() instanceof Request.Leave;
            next.net.add(new SimMessage.Answered(
                    asked.client(),
                    about.id(),
                    leave ? null : step.answer().from(next.server),
                    asked.sent(),
                    asked.number()));
        }
        return SimChecks.revoked(before, step.next(), asked.request(), now);
    }

    private void pushAll(SimWorld next, Step step) {
        step.pushes(SimWorld.NAME).forEach(push -> push(next, push));
    }

    private void push(SimWorld next, Push p) {
        int to = (int) p.id().client();
        if (next.clients[to].isAlive()) {
            boolean wanted = p.wanted() && setup.roles().get(to).sticky(); // others make nothing of it
            Push push = p.withWanted(wanted).from(next.server);
            next.net.add(new SimMessage.Pushed(to, push));
        }
    }

    /** What others than the clients bring about: a request of somebody else, an operator, a new server. */
    private void others(SimWorld world) {
        if (!setup.prompt()) {
            byOthers(
                    world, new Request.Leave(SimWorld.NAME, new ClaimId(-1, 0), false), "somebody else's request runs");
        }
        if (world.resizes > 0 && world.store.capacity() > 1) {
            SimWorld shrunk = world.copy();
            shrunk.resizes--;
            byOthers(shrunk, new Request.Resize(SimWorld.NAME, world.store.capacity() - 1), "the capacity shrinks");
        }
        if (world.failovers > 0 && nobodyKnowsOfAGrant(world)) {
            SimWorld next = world.copy();
            next.failovers--;
            next.server++;
            emit(next, "another server takes over, its clock " + SimSetup.SHIFT + " ticks ahead");
        }
    }

    private void byOthers(SimWorld world, Request request, String words) {
        SimWorld next = world.copy();
        Step step = mutant.step(world.store, request, world.micros(), request.applyTo(world.store, world.micros()));
        if (step.next() != world.store) {
            next.store = step.next();
            pushAll(next, step);
            emit(next, words, SimChecks.revoked(world.store, step.next(), request, world.micros()));
        }
    }

    /** Whoever holds across a jump of the store's clock is not safe, so it is not asked for. */
    private static boolean nobodyKnowsOfAGrant(SimWorld world) {
        for (SimClient client : world.clients) {
            Belief belief = client.current() == null ? null : client.current().belief();
            if (belief != null && (belief.phase() == Phase.HELD || belief.hint() != null)) {
                return false;
            }
        }
        return world.net.stream()
                .noneMatch(m -> m instanceof SimMessage.Pushed p && p.push().granted()
                        || m instanceof SimMessage.Answered a
                                && a.answer() != null
                                && a.answer().state() == io.belay.spi.Answer.State.GRANTED);
    }

    private void tick(SimWorld world) {
        SimWorld next = world.copy();
        Violation violation = setup.prompt() ? SimChecks.standstill(setup, world, next) : null;
        next.tick++;
        emit(next, "tick", violation);
    }

    /** Whether nothing is left to do before time passes: nothing in flight to those who run, and no timer due. */
    private static boolean isQuiet(SimWorld world) {
        for (SimMessage message : world.net) {
            if (message instanceof SimMessage.Asked || world.clients[message.client()].runs()) {
                return false;
            }
        }
        for (SimClient client : world.clients) {
            boolean due = client.timer() <= world.nanos()
                    || client.leaving().stream().anyMatch(l -> l.resendAt() <= world.nanos());
            if (client.runs() && due) {
                return false;
            }
        }
        return true;
    }

    private void emit(SimWorld next, String words) {
        emit(next, words, null);
    }

    private void emit(SimWorld next, String words, @Nullable Violation ofStore) {
        Violation violation = ofStore != null ? ofStore : acting.takeViolation();
        next.simplify();
        sink.reached(next, inWords ? "t=" + next.tick + "  " + words : words, violation);
    }

    // In words.

    static String name(int client) {
        return String.valueOf((char) ('A' + client));
    }

    static String name(ClaimId id) {
        return name((int) id.client()) + id.number();
    }

    private static String words(SimMessage message) {
        if (message instanceof SimMessage.Asked a) {
            return "the store runs " + name(a.client()) + "'s " + words(a.request());
        } else if (message instanceof SimMessage.Answered a) {
            return name(a.client()) + " is answered about " + name(a.id())
                    + (a.answer() == null
                            ? ": left"
                            : ": " + a.answer().state() + ", sequence "
                                    + a.answer().sequence() + ", until "
                                    + a.answer().deadline() / (double) SimWorld.MICROS);
        }
        Push push = ((SimMessage.Pushed) message).push();
        return name(message.client()) + " is pushed: " + name(push.id())
                + (push.granted() ? " granted" : " ended") + (push.wanted() ? " and wanted" : "") + ", sequence "
                + push.sequence() + ", until "
                + push.deadline() / (double) SimWorld.MICROS;
    }

    private static String words(Request request) {
        String kind = request.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
        if (request instanceof Request.Yield y) {
            return kind + " of " + name(y.id()) + ", sequence " + y.sequence();
        } else if (request instanceof Request.Renew r) {
            return kind + " of " + name(r.id()) + ", sequence " + r.sequence() + (r.fresh() ? ", fresh" : "");
        } else if (request instanceof Request.Reweight r) {
            return kind + " of " + name(r.id()) + " to " + r.weight() + ", change " + r.reweights();
        } else if (request instanceof Request.Fix f) {
            return kind + " of " + name(f.id()) + " for " + f.lease() / (double) SimWorld.MICROS + ", change "
                    + f.reweights();
        } else if (request instanceof Request.OfClaim c) {
            return kind + " of " + name(c.id());
        }
        return kind;
    }

    private static String outcome(SimWorld next) {
        List<Claim> claims = next.store.claims();
        StringBuilder all = new StringBuilder(" -> granted [");
        for (int i = 0; i < claims.size(); i++) {
            Claim c = claims.get(i);
            all.append(i == next.store.granted() ? "] waiting [" : i == 0 ? "" : ", ")
                    .append(name(c.id()))
                    .append(c.pending() ? " (not picked up)" : "")
                    .append(" until ")
                    .append(c.deadline() / (double) SimWorld.MICROS);
        }
        return all.append(']').toString();
    }
}
