package io.belay.internal.machine;

import io.belay.internal.machine.Violation.Kind;
import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All clients that a search has seen, each kept once, and what each step makes of them: equal clients, events and times give
 * equal steps, so that each is taken once, however many states have it in common.
 */
final class SimClients {
    /** A step: which client, what happens, when. */
    private record Asked(int client, SimEvent event, int tick) {}

    private final Mutant mutant;
    final Values values;
    private final Graph graph;
    private final Map<Graph.Key, SimClient> known = new HashMap<>();
    private final Map<Asked, SimStep> taken = new HashMap<>();

    SimClients(Mutant mutant, Values values) {
        this.mutant = mutant;
        this.values = values;
        graph = new Graph(values);
    }

    /** Returns the client that is kept for an equal one. */
    SimClient keep(SimClient client) {
        client.step = null;
        Oblivion.forget(client);
        Graph.Key key = graph.key(client);
        SimClient same = known.get(key);
        if (same != null) {
            return same;
        }
        client.id = known.size();
        known.put(key, client);
        return client;
    }

    /** Takes a step of a client at a tick. */
    SimStep step(SimClient client, SimEvent event, int tick) {
        Asked asked = new Asked(client.id, event, tick);
        SimStep before = taken.get(asked);
        if (before == null) {
            before = take(graph.copy(client), event, tick);
            taken.put(asked, before);
        }
        return before;
    }

    private SimStep take(SimClient client, SimEvent event, int tick) {
        SimStep step = new SimStep(client, tick, mutant);
        client.step = step;
        try {
            happens(client, event, step);
        } catch (RuntimeException e) {
            step.violate(Kind.ERROR, e + " at " + List.of(e.getStackTrace()).subList(0, 3));
        }
        step.client = keep(client);
        step.numbers = step.sent.stream().mapToInt(values::number).toArray();
        return step;
    }

    private void happens(SimClient client, SimEvent event, SimStep step) {
        switch (event.kind()) {
            case ARRIVES -> arrives(client);
            case WAKES -> at(client, event, (machine, caller) -> machine.awoke(caller));
            case GIVES_UP -> at(client, event, (machine, caller) -> machine.gaveUp(caller, Failure.CANCELLED));
            case RELEASES ->
                at(client, event, (machine, caller) -> {
                    ((SimCaller) caller).weight =
                            Objects.requireNonNull(caller.stay()).weight();
                    machine.released(caller, event.ticks() * SimWorld.NANOS);
                });
            case KEEPS_NO_LONGER -> keepsNoLonger(client, event, step);
            case MOVES_ITS_END -> {
                client.extended++;
                at(
                        client,
                        event,
                        (machine, caller) ->
                                machine.extend(ticket(client, caller, false), event.ticks() * SimWorld.NANOS));
            }
            case ASKS_FOR_ANOTHER_WEIGHT -> {
                client.weighed++;
                at(client, event, (machine, caller) -> weigh(client, machine, caller, event.ticks()));
            }
            case GIVES_ITS_UPGRADE_UP ->
                at(
                        client,
                        event,
                        (machine, caller) -> client.tickets.stream()
                                .filter(ticket -> ticket.upgrades && ticket.hold == caller)
                                .forEach(machine::giveUpUpgrade));
            case OBSERVES -> {
                client.observed = true;
                client.take(client.shell(), machine -> machine.observe(""));
            }
            case OBSERVES_NO_LONGER -> client.take(client.shell(), machine -> machine.observe(null));
            case COUNTS_ANEW ->
                client.stays().filter(s -> s.id.number() == event.who()).forEach(Oblivion::countAnew);
            case HEARS -> hears(client, (SimMessage) values.get(event.who()), step);
            case TIMER_FIRES -> {
                client.fired += client.isPrompt ? 0 : 1;
                SimShell shell = client.shells.get(event.who());
                client.take(shell, Machine::tick);
                if (shell.machine.due() != Caller.NEVER && shell.machine.due() - step.now() <= 0) {
                    step.violate(Kind.BUSY_LOOP, "the timer of " + SimWords.name(client.number) + " fires for nothing");
                }
            }
            case NOTICES_AN_END -> client.takeAll(machine -> {});
            case LOOKS_AT_THE_CLOCKS -> {
                client.checked = client.slept;
                client.takeAll(Machine::checkIfUnsure);
            }
            case RECONNECTS -> client.takeAll(Machine::reconnected);
            case DRAINS -> {
                client.state = event.who() == 0 ? ClientState.CLOSING : ClientState.PAUSING;
                client.takeAll(machine -> {});
            }
            case ENDS -> {
                client.state = client.state.isOver() ? ClientState.CLOSED : ClientState.PAUSED;
                client.takeAll(machine -> {});
                client.takeAll(Machine::sendLeaves);
            }
            case ABANDONS -> client.takeAll(Machine::abandon);
            case GOES_ON -> {
                client.life = SimClient.Life.RUNS;
                client.state = client.state == ClientState.PAUSED ? ClientState.OPEN : client.state;
            }
            case STOPS -> client.life = SimClient.Life.STOPPED;
            case SLEEPS -> client.slept++;
            case CRASHES -> {
                client.life = SimClient.Life.DEAD;
                client.shells.clear();
                client.callers.clear();
                client.tickets.clear();
            }
        }
    }

    private interface OfCaller {
        void happens(Machine machine, Caller caller);
    }

    private static void at(SimClient client, SimEvent event, OfCaller what) {
        SimCaller caller = client.callers.get(event.who());
        SimShell shell = client.shellOf(caller);
        if (shell != null) {
            client.take(shell, machine -> what.happens(machine, caller));
        }
    }

    private static void arrives(SimClient client) {
        SimRole.Call call = client.role.calls().get(client.arrived++);
        long wait = call.patience() == 0 ? Caller.NEVER : call.patience() * SimWorld.NANOS;
        SimCaller caller = new SimCaller(call);
        client.callers.add(caller);
        boolean alone = client.role.terms().use == Terms.Use.ONE;
        SimShell shell = alone ? client.add(client.role.terms(), true) : client.shell();
        Entry[] entry = new Entry[1];
        client.take(shell, machine -> entry[0] = machine.arrived(caller, wait));
        if (entry[0] == Entry.APART) {
            client.take(client.add(client.role.terms().apart(), true), machine -> machine.arrived(caller, wait));
        }
    }

    private static void keepsNoLonger(SimClient client, SimEvent event, SimStep step) {
        SimCaller caller = client.callers.get(event.who());
        Stay stay = caller.stay();
        if (stay != null && caller.mayKeepNoLonger(step.now())) {
            client.keptNoLonger.add(stay.id);
            step.frees = true;
        }
        at(client, event, (machine, its) -> machine.keepNoLonger(its));
    }

    private static SimTicket ticket(SimClient client, Caller caller, boolean upgrades) {
        SimTicket ticket = new SimTicket(caller, upgrades);
        client.tickets.add(ticket);
        return ticket;
    }

    private static void weigh(SimClient client, Machine machine, Caller caller, int weight) {
        Stay stay = caller.stay();
        if (stay == null || weight > stay.weight()) {
            machine.upgrade(ticket(client, caller, true), weight);
        } else {
            machine.downgrade(caller, weight, false);
        }
    }

    private void hears(SimClient client, SimMessage message, SimStep step) {
        if (message instanceof SimMessage.Answered answered) {
            Stay stay = client.find(answered.id());
            SimShell shell = stay == null ? null : client.shellOf(stay);
            if (stay != null && shell != null) {
                StoreException error = answered.answer() != null
                        ? null
                        : answered.forGood()
                                ? StoreException.unusable("no", null)
                                : StoreException.unreachable("no", null);
                client.take(shell, machine -> {
                    Sent sent = before(stay, answered.answer(), answered.sent(), step);
                    machine.answered(stay, answered.answer(), error, sent);
                });
            }
            client.leaveIfAnew(answered.id(), answered.answer());
        } else if (message instanceof SimMessage.Pushed pushed) {
            pushed(client, pushed.push(), step);
        }
    }

    private Sent before(Stay stay, @Nullable Answer answer, Sent sent, SimStep step) {
        return answer == null || stay.isOver() ? sent : mutant.beforeAnswer(stay, answer, sent, step.now());
    }

    private void pushed(SimClient client, Push push, SimStep step) {
        client.deaf = false;
        Stay stay = client.find(push.id());
        SimShell shell = stay == null ? null : client.shellOf(stay);
        if (stay != null && shell != null) {
            if (!mutant.hears(stay, push)) {
                return;
            }
            client.take(shell, machine -> {
                if (!stay.isOver()) {
                    mutant.beforePush(stay, push, step.now());
                }
                machine.pushed(push);
            });
        } else if (push.granted() && !client.isKept(push.id())) {
            client.send(Request.Leave.of(SimWorld.NAME, push.id(), false), SimStep.NOBODYS);
        }
    }
}
