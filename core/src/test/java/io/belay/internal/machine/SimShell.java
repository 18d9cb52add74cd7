package io.belay.internal.machine;

import io.belay.ReleaseOutcome;
import io.belay.internal.machine.Violation.Kind;
import io.belay.spi.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a gate is around a machine, in the search: it does what the machine calls for. */
final class SimShell implements Machine.Effects {
    private final SimClient client;
    final boolean isApart;
    final Machine machine;
    final List<Stay> stays = new ArrayList<>(1);
    boolean isRetired;

    SimShell(SimClient client, Terms terms, boolean isApart) {
        this.client = client;
        this.isApart = isApart;
        machine = new Machine(terms, client, this);
    }

    /** Returns whether nobody can find it any more. */
    boolean isForgotten() {
        return isRetired && stays.isEmpty();
    }

    @Override
    public void begun(Stay stay) {
        stays.add(stay);
    }

    @Override
    public boolean delays(Stay stay) {
        return client.delays(stay);
    }

    /** Sends a request at once, without what no decision depends on. */
    @Override
    public void send(Stay stay, Request request, int number, boolean leave) {
        SimStep step = client.step();
        if (!step.mutant.sends(stay, request)) {
            return;
        }
        if (request instanceof Request.Fix && !leave && stay.isFixed) {
            stay.known = step.mutant.believed(step.before(stay), stay.known);
        }
        long at = leave ? 0 : step.now();
        long offset = leave ? 0 : client.wallOffset();
        client.send(plain(request), new Sent(number, at, offset, leave, request instanceof Request.Reweight));
    }

    private static Request plain(Request request) {
        if (request instanceof Request.Enter e && e.localWaiters() > 0) {
            return Request.Enter.of(e.resource(), e.id(), e.spec(), 0, e.owner());
        } else if (request instanceof Request.Renew r && r.localWaiters() > 0) {
            return Request.Renew.of(r.resource(), r.id(), r.sequence(), r.lease(), 0, r.fresh());
        } else if (request instanceof Request.Yield y && y.localWaiters() > 0) {
            return Request.Yield.of(y.resource(), y.id(), y.sequence(), y.lease(), 0);
        }
        return request;
    }

    @Override
    public void renew(Stay stay, Request.Renew request, int number) {
        send(stay, request, number, false);
    }

    @Override
    public void describe(Stay stay, Request.Describe request) {
        // Nothing but what people see depends on it.
    }

    @Override
    public void unclear(Stay stay, boolean is) {
        client.unclear(is);
    }

    @Override
    public void kept(Stay stay, long nanos) {
        SimCaller owner = (SimCaller) stay.leaver;
        int weight = owner == null ? stay.weight() : owner.weight;
        client.kept.add(new SimClient.Kept(
                stay.id, stay.sequence(), weight, client.step().end(stay)));
        client.step().kept(stay);
    }

    @Override
    public void over(Stay stay) {
        stays.remove(stay);
        client.forget(stay);
    }

    @Override
    public void granted(Caller caller, long token, boolean handOff, long now) {
        told(++((SimCaller) caller).ends, "is told twice how its wait ended");
        client.step().tokens.add(token);
    }

    @Override
    public void invited(Caller caller) {
        // It wakes up when it likes.
    }

    @Override
    public void ended(Caller caller, Failure how, long now) {
        SimCaller told = (SimCaller) caller;
        if (!client.step().mutant.tellsEnd(caller)) {
            return;
        }
        told(++told.ends, "is told twice how its wait ended");
    }

    @Override
    public void released(Caller caller, ReleaseOutcome outcome) {
        Stay stay = caller.stay();
        boolean kept = client.role.terms().isShared || (stay != null && client.isKept(stay.id));
        if (outcome == ReleaseOutcome.RELEASED && caller.isKept(client.step().now()) && !kept) {
            client.step().violate(Kind.NOT_KEPT, "what is to stay taken is told to be released, and is free");
        }
        told(++((SimCaller) caller).releases, "is told twice what became of its release");
    }

    @Override
    public void succeeded(Caller caller, Caller next, boolean inside) {
        ((SimCaller) caller).releases++;
        client.callers.add((SimCaller) next);
    }

    @Override
    public void lost(Caller caller, Loss loss, long now) {
        if (!client.step().mutant.tellsLoss()) {
            return;
        }
        if (client.isSafe && loss != Loss.MAX_HOLD && loss != Loss.OVER) {
            client.step().violate(Kind.LOST_FOR_NOTHING, "a caller loses the lock: " + loss.words);
        }
        told(++((SimCaller) caller).losses, "is told twice that it lost the lock");
    }

    private void told(int times, String words) {
        if (times > 1) {
            client.step().violate(Kind.TOLD_TWICE, "a caller " + words);
        }
    }

    @Override
    public void told(Caller.Ticket ticket, @Nullable String refusal) {
        if (!client.tickets.remove(ticket)) {
            client.step().violate(Kind.TOLD_TWICE, "a question is answered twice");
        }
    }

    @Override
    public void noticed() {
        // Who observes looks whenever it likes.
    }

    @Override
    public void warn(String kind, String text) {
        // For the log.
    }

    @Override
    public void refused(String reason) {
        // For the log.
    }

    @Override
    public void retired() {
        isRetired = true;
    }
}
