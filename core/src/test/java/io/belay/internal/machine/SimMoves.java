package io.belay.internal.machine;

import io.belay.internal.machine.SimEvent.Kind;
import io.belay.internal.machine.SimSetup.Mishap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything that can happen next in a state of the search. */
final class SimMoves {
    /** Takes a state that can be reached in one step; the violation is one of the step itself, or null. */
    interface Sink {
        void reached(SimWorld next, Supplier<String> words, @Nullable Violation violation);
    }

    private final SimSetup setup;
    private final SimClients clients;
    private final SimStore store;
    private final SimWords words;
    private final Sink sink;
    private final boolean tokens;
    private final boolean forgets;

    SimMoves(SimSetup setup, SimClients clients, SimStore store, Sink sink) {
        this.setup = setup;
        this.clients = clients;
        this.store = store;
        this.sink = sink;
        words = new SimWords(clients.values);
        tokens = setup.hasTokens();
        forgets = setup.has(Mishap.SETBACK);
    }

    void from(SimWorld world) {
        for (int i = 0; i < world.clients.length; i++) {
            SimClient client = world.clients[i];
            if (client.runs()) {
                arrivals(world, client);
                callers(world, client);
                timers(world, client);
                life(world, client);
            } else if (client.life == SimClient.Life.STOPPED) {
                happens(world, client, new SimEvent(Kind.GOES_ON));
            }
        }
        for (int at = 0; at < world.net.length; at++) {
            if (at == 0 || world.net[at] != world.net[at - 1]) {
                deliveries(world, world.net[at]);
            }
        }
        store.others(world, this::emit);
        if (world.tick < setup.horizon() && (!setup.prompt() || SimChecks.isQuiet(world, clients.values))) {
            tick(world);
        }
    }

    // What clients do.

    private void arrivals(SimWorld world, SimClient client) {
        boolean first = client.arrived == 0;
        if (client.arrived < client.role.calls().size()
                && client.state != ClientState.CLOSED
                // Clients come for the first time in their order: where their roles are alike nothing is missed by it.
                && (!first || client.number == 0 || isAfter(world, client))) {
            if (client.role.dies()) {
                happens(world, client, new SimEvent(Kind.ARRIVES), new SimEvent(Kind.CRASHES));
            } else {
                happens(world, client, new SimEvent(Kind.ARRIVES));
            }
        }
        if (client.role.isObserver() && !client.observed) {
            happens(world, client, new SimEvent(Kind.OBSERVES));
        } else if (client.role.isObserver() && !client.shells.isEmpty()) {
            happens(world, client, new SimEvent(Kind.OBSERVES_NO_LONGER));
        }
    }

    private boolean isAfter(SimWorld world, SimClient client) {
        SimClient before = world.clients[client.number - 1];
        return before.arrived > 0 || !before.role.equals(client.role) || !before.runs();
    }

    private void callers(SimWorld world, SimClient client) {
        for (int i = 0; i < client.callers.size(); i++) {
            SimCaller caller = client.callers.get(i);
            if (caller.isPending()) {
                if (caller.isThread() && caller.isToCome()) {
                    happens(world, client, new SimEvent(Kind.WAKES, i));
                }
                if (!caller.patient && caller.leaving == null) {
                    happens(world, client, new SimEvent(Kind.GIVES_UP, i));
                }
            } else if (caller.holds()) {
                holder(world, client, caller, i);
            } else if (caller.mayKeepNoLonger(client.nanos(world.tick))) {
                happens(world, client, new SimEvent(Kind.KEEPS_NO_LONGER, i));
            }
        }
    }

    private void holder(SimWorld world, SimClient client, SimCaller caller, int i) {
        happens(world, client, new SimEvent(Kind.RELEASES, i));
        if (!caller.believes(client.nanos(world.tick), client.wallOffset())) {
            return;
        }
        SimRole role = client.role;
        if (role.keeps() > 0) {
            happens(world, client, new SimEvent(Kind.RELEASES, i, role.keeps()));
        }
        if (caller.asks.atLeast > 0 && caller.isKept(client.nanos(world.tick))) {
            happens(world, client, new SimEvent(Kind.KEEPS_NO_LONGER, i));
        }
        if (client.extended < role.extensions()) {
            happens(world, client, new SimEvent(Kind.MOVES_ITS_END, i, 1));
            happens(world, client, new SimEvent(Kind.MOVES_ITS_END, i, 4));
        }
        Stay stay = caller.stay();
        boolean upgrading = client.tickets.stream().anyMatch(t -> t.upgrades && t.hold == caller);
        if (upgrading) {
            happens(world, client, new SimEvent(Kind.GIVES_ITS_UPGRADE_UP, i));
        } else if (client.weighed < role.weighings() && stay != null) {
            int full = role.terms().spec.weight() == 1
                    ? setup.capacity()
                    : role.terms().spec.weight();
            happens(world, client, new SimEvent(Kind.ASKS_FOR_ANOTHER_WEIGHT, i, stay.weight() == full ? 1 : full));
        }
    }

    private void timers(SimWorld world, SimClient client) {
        for (int i = 0; i < client.shells.size(); i++) {
            long due = client.shells.get(i).machine.due();
            boolean may = setup.prompt() || client.fired < client.role.timers();
            if (may && due != Caller.NEVER && due <= client.nanos(world.tick)) {
                happens(world, client, new SimEvent(Kind.TIMER_FIRES, i));
            }
        }
        if (!setup.prompt() && SimChecks.isOver(client, client.nanos(world.tick))) {
            happens(world, client, new SimEvent(Kind.NOTICES_AN_END));
        }
        if (client.checked < client.slept) {
            happens(world, client, new SimEvent(Kind.LOOKS_AT_THE_CLOCKS));
        }
    }

    private void life(SimWorld world, SimClient client) {
        if (client.arrived == 0 && !client.observed) {
            return;
        }
        mishap(world, client, Mishap.CRASH, new SimEvent(Kind.CRASHES));
        mishap(world, client, Mishap.STOP, new SimEvent(Kind.STOPS));
        mishap(world, client, Mishap.RECONNECTION, new SimEvent(Kind.RECONNECTS));
        if (client.state == ClientState.OPEN) {
            mishap(world, client, Mishap.CLOSING, new SimEvent(Kind.DRAINS, 0));
            mishap(world, client, Mishap.PAUSING, new SimEvent(Kind.DRAINS, 1));
        } else if (!client.state.isDown()) {
            happens(world, client, new SimEvent(Kind.ENDS));
        } else if (client.anyStay(stay -> true)) {
            happens(world, client, new SimEvent(Kind.ABANDONS));
        } else if (client.state == ClientState.PAUSED) {
            happens(world, client, new SimEvent(Kind.GOES_ON));
        }
    }

    private void mishap(SimWorld world, SimClient client, Mishap mishap, SimEvent event) {
        if (world.has(mishap)) {
            happens(world.with(mishap), client, event);
        }
    }

    private void happens(SimWorld world, SimClient client, SimEvent... events) {
        SimWorld next = world.copy();
        Violation violation = null;
        for (SimEvent event : events) {
            Violation found = take(next, client.number, event);
            violation = violation == null ? found : violation;
        }
        emit(next, () -> words.of(client, events), violation);
    }

    /** Takes a step of a client, in a state that is being made. */
    private @Nullable Violation take(SimWorld next, int i, SimEvent event) {
        SimStep step = clients.step(next.clients[i], event, next.tick);
        next.set(i, step.client);
        for (int message : step.numbers) {
            next.add(message);
        }
        next.kept = step.frees ? 0 : Math.max(next.kept, step.kept);
        Violation fell = tokens && forgets
                ? SimChecks.tokensOnce(next, step, clients.values)
                : tokens ? SimChecks.tokens(next, step) : null;
        return step.violation != null ? step.violation : fell;
    }

    // What the network does.

    private void deliveries(SimWorld world, int number) {
        SimMessage message = (SimMessage) clients.values.get(number);
        boolean toStore = message instanceof SimMessage.Asked;
        if (!toStore && !world.clients[message.client()].runs()) {
            return;
        }
        SimWorld taken = world.copy();
        taken.remove(number);
        deliver(taken, message, number, "");
        if (world.has(Mishap.LOSS)) {
            SimWorld lost = world.with(Mishap.LOSS);
            lost.remove(number);
            emit(lost, () -> "lost: " + words.of(message), null);
        }
        if (world.has(Mishap.DOUBLE) && !(toStore && isEnter(message))) {
            // An enter is doubled by its owner alone, who then knows that it is unclear.
            deliver(world.with(Mishap.DOUBLE), message, number, " [a copy stays in flight]");
        }
        if (message instanceof SimMessage.Asked asked && asked.sent().number() > 0) {
            failures(world, asked, number);
        }
    }

    private static boolean isEnter(SimMessage message) {
        return message instanceof SimMessage.Asked asked && asked.request() instanceof io.belay.spi.Request.Enter;
    }

    private void failures(SimWorld world, SimMessage.Asked asked, int number) {
        fails(world, Mishap.FAILURE, asked, number, false);
        fails(world, Mishap.UNUSABLE, asked, number, true);
        if (world.has(Mishap.FAILED_ANSWER)) {
            SimWorld next = world.with(Mishap.FAILED_ANSWER);
            next.remove(number);
            Violation violation = store.run(next, number, false);
            next.add(clients.values.number(failed(asked, false)));
            emit(next, () -> words.of(asked) + ", and the answer fails" + words.of(next), violation);
        }
    }

    private static SimMessage failed(SimMessage.Asked asked, boolean forGood) {
        return new SimMessage.Answered(asked.client(), asked.id(), null, forGood, asked.sent());
    }

    private void fails(SimWorld world, Mishap mishap, SimMessage.Asked asked, int number, boolean forGood) {
        if (world.has(mishap)) {
            SimWorld next = world.with(mishap);
            next.remove(number);
            next.add(clients.values.number(failed(asked, forGood)));
            emit(next, () -> "fails" + (forGood ? " for good: " : ": ") + words.of(asked), null);
        }
    }

    private void deliver(SimWorld next, SimMessage message, int number, String addition) {
        if (message instanceof SimMessage.Asked) {
            Violation violation = store.run(next, number, true);
            emit(next, () -> words.of(message) + words.of(next) + addition, violation);
        } else {
            Violation violation = take(next, message.client(), new SimEvent(Kind.HEARS, number));
            emit(next, () -> words.of(message) + addition, violation);
        }
    }

    // What the clocks do.

    private void tick(SimWorld world) {
        SimWorld next = world.copy();
        Violation violation = setup.prompt() ? SimChecks.standstill(setup, world, next, store.of(world)) : null;
        next.tick++;
        emit(next, () -> "tick", violation);
        for (int i = 0; i < world.clients.length && world.has(Mishap.SUSPENSION); i++) {
            if (world.clients[i].runs() && world.clients[i].arrived > 0) {
                int sleeper = i;
                SimWorld asleep = world.with(Mishap.SUSPENSION);
                asleep.tick++;
                Violation found = take(asleep, i, new SimEvent(Kind.SLEEPS));
                emit(asleep, () -> "tick, while " + SimWords.name(sleeper) + " is suspended", found);
            }
        }
    }

    /** Makes the numbers of requests small of which none is in flight. */
    private void countAnew(SimWorld next) {
        for (SimClient client : next.clients) {
            for (SimShell shell : client.shells) {
                for (Stay stay : shell.stays) {
                    if (Oblivion.countsHigh(stay) && !store.isAbout(next, stay.id)) {
                        SimEvent event = new SimEvent(Kind.COUNTS_ANEW, (int) stay.id.number());
                        next.set(client.number, clients.step(next.clients[client.number], event, next.tick).client);
                    }
                }
            }
        }
    }

    private void emit(SimWorld next, Supplier<String> inWords, @Nullable Violation violation) {
        store.simplify(next);
        countAnew(next);
        sink.reached(next, () -> "t=" + next.tick + "  " + inWords.get(), violation);
    }
}
