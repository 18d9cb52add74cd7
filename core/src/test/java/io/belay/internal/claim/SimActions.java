package io.belay.internal.claim;

import io.belay.internal.claim.Belief.Phase;
import io.belay.internal.claim.SimClient.Leaving;
import io.belay.internal.claim.SimClient.SimClaim;
import io.belay.internal.claim.Violation.Kind;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import org.jspecify.annotations.Nullable;

/**
 * What clients do: the decisions are those of {@link Belief}, what is sent when is that of {@link LiveClaim} and
 * {@link Engine}, which are not values and so are told once more here.
 *
 * <p>One thing is told here first: a change of weight. A client that asks for a smaller weight counts on no more from
 * then on; one that asks for a larger weight counts on it once the answer shows that the change was made.
 */
final class SimActions {
    private static final Owner OWNER = new Owner("", "", 0, "");
    private static final long TIMEOUT = SimWorld.NANOS;

    private final SimSetup setup;
    private final Mutant mutant;
    private @Nullable Violation violation;

    SimActions(SimSetup setup, Mutant mutant) {
        this.setup = setup;
        this.mutant = mutant;
    }

    @Nullable
    Violation takeViolation() {
        Violation taken = violation;
        violation = null;
        return taken;
    }

    // What a client decides.

    void enter(SimWorld world, int i) {
        SimClient client = world.clients[i];
        ClaimId id = new ClaimId(i, client.number() + 1);
        ClaimSpec spec = setup.roles().get(i).spec(setup.capacity());
        Belief belief = Belief.entering(id, spec, world.nanos());
        int weight = spec.weight();
        world.clients[i] = client.entering(new SimClaim(belief, false, 0, weight, 0, 0, 0, 0));
        transmit(world, i);
    }

    void leave(SimWorld world, int i) {
        Belief left = world.clients[i].current().belief().leaving(world.nanos());
        world.clients[i] = world.clients[i].with((SimClaim) null);
        sendLeave(world, i, left.id(), left.isUnclear());
    }

    /** What {@code LiveClaim.leaveAt} does. */
    void leaveAt(SimWorld world, int i, int ticks) {
        SimClaim claim = world.clients[i].current();
        Belief left = claim.belief().leaving(world.nanos());
        world.clients[i] = world.clients[i].with((SimClaim) null);
        long end = world.nanos() + ticks * SimWorld.NANOS;
        sendLeave(world, i, leaving(world, i, left, end, claim.reweights()));
    }

    /** What {@code LiveClaim.fix} does. */
    void fix(SimWorld world, int i, int ticks) {
        SimClaim claim = world.clients[i].current();
        long end = world.nanos() + ticks * SimWorld.NANOS;
        world.clients[i] = world.clients[i].spendFix().with(claim.ending(claim.belief(), end, claim.reweights() + 1));
        sendFix(world, i);
    }

    void yield(SimWorld world, int i) {
        SimClaim claim = world.clients[i].current();
        world.clients[i] = world.clients[i]
                .spend(1, 0, 0, 0)
                .with(claim.with(claim.belief().yielding(world.nanos())));
        transmit(world, i);
    }

    /** A fixed lease is picked up and then never renewed; of all others an answer may be awaited at a time. */
    boolean mayRenew(SimClient client) {
        Belief belief = client.current().belief();
        return !client.current().inFlight()
                && (belief.phase() == Phase.WAITING
                        || (belief.phase() == Phase.HELD && !(belief.isFixed() && belief.confirmed())));
    }

    void renew(SimWorld world, int i, boolean fresh) {
        world.clients[i] = world.clients[i].spend(0, 1, 0, 0);
        transmit(world, i, fresh);
    }

    void reweight(SimWorld world, int i) {
        SimClaim claim = world.clients[i].current();
        int full = setup.roles().get(i).weight();
        int target = claim.weight() == full ? 1 : full;
        SimClaim asking = claim.weighing(Math.min(claim.weight(), target), target, claim.reweights());
        world.clients[i] = world.clients[i].spend(0, 0, 0, 1).with(asking);
        sendReweight(world, i);
    }

    /** No answer came, or the request failed and may have run all the same: what {@code LiveClaim.again} does. */
    void resend(SimWorld world, int i) {
        world.clients[i] = world.clients[i].spend(0, 0, 1, 0);
        if (world.clients[i].current().target() != 0) {
            sendReweight(world, i);
        } else if (world.clients[i].current().end() != 0) {
            sendFix(world, i);
        } else {
            again(world, i);
        }
    }

    void leaveAgain(SimWorld world, int i, Leaving leaving) {
        if (setup.prompt() && world.nanos() > leaving.giveUpAt()) {
            world.clients[i] = world.clients[i].without(leaving.id());
            return;
        }
        world.clients[i] = world.clients[i].without(leaving.id()).spend(0, 0, setup.prompt() ? 0 : 1, 0);
        long resendAt = setup.prompt() ? world.nanos() + TIMEOUT : 0;
        sendLeave(world, i, leaving.again(resendAt));
    }

    /** The claim's timer fires: what {@code LiveClaim.fire} does. */
    void fire(SimWorld world, int i) {
        SimClaim before = world.clients[i].current();
        become(world, i, before.belief().at(world.nanos()));
        SimClaim claim = world.clients[i].current();
        if (claim == null) {
            return;
        }
        if (claim.inFlight() && claim.resendAt() <= world.nanos()) {
            again(world, i);
        } else if (!claim.inFlight() && claim.belief().askAt() != Long.MAX_VALUE) {
            transmit(world, i);
        }
    }

    private void again(SimWorld world, int i) {
        SimClaim claim = world.clients[i].current();
        if (claim.belief().phase() == Phase.ENTERING) {
            world.clients[i] = world.clients[i].with(claim.with(claim.belief().enteringAgain()));
        }
        transmit(world, i);
    }

    // What a client hears.

    void answered(SimWorld world, SimMessage.Answered message) {
        int i = message.client();
        Answer answer = message.answer();
        if (answer == null) {
            world.clients[i] = world.clients[i].without(message.id());
            return;
        }
        if (message.number() == 0) {
            kept(world, i, message.id(), answer);
            return;
        }
        if (!world.clients[i].isInterestedIn(message.id())) {
            if (world.clients[i].isKeeping(message.id(), answer.sequence())) {
                keepUnder(world, i, message.id(), answer.sequence());
            } else if (world.clients[i].isAnew(message.id(), answer.sequence())) {
                send(world, i, new Request.Leave(SimWorld.NAME, message.id(), false), 0);
            }
            return;
        }
        long now = world.nanos();
        SimClaim claim = world.clients[i].current();
        claim = message.number() == claim.request() ? claim.answered() : claim;
        world.clients[i] = world.clients[i].with(claim);
        become(world, i, claim.belief().at(now));
        claim = world.clients[i].current();
        if (claim == null) {
            return;
        }
        boolean waited = claim.belief().phase() == Phase.WAITING;
        Belief next = mutant.answered(claim.belief(), answer, message.sent(), 0, now);
        if (claim.target() != 0) {
            learnWeight(world, i, claim, answer);
        } else if (claim.end() != 0 && answer.reweights() >= claim.reweights()) {
            world.clients[i] = world.clients[i].with(claim.ending(claim.belief(), 0, claim.reweights()));
        }
        become(world, i, next);
        if (waited && next.phase() != Phase.WAITING) {
            world.clients[i] = world.clients[i].deaf(setup.prompt());
        }
    }

    private void keepUnder(SimWorld world, int i, ClaimId id, long sequence) {
        world.clients[i].leaving().stream()
                .filter(leaving -> leaving.id().equals(id))
                .forEach(leaving -> sendLeave(world, i, leaving.under(sequence)));
    }

    /** The answer to the request to keep what was left: what {@code LiveClaim.left} does. */
    private void kept(SimWorld world, int i, ClaimId id, Answer answer) {
        for (Leaving leaving : world.clients[i].leaving()) {
            if (leaving.id().equals(id)) {
                boolean there = answer.state() == Answer.State.GRANTED;
                if (there && answer.reweights() <= leaving.asked()) {
                    keepUnder(world, i, id, answer.sequence());
                } else if (!there && leaving.unclear()) {
                    sendLeave(world, i, leaving.plain());
                } else if (there) {
                    world.clients[i] = world.clients[i].keeping(id, answer.sequence());
                    world.kept = Math.max(world.kept, leaving.kept() / 1000); // the user is told so
                } else {
                    world.clients[i] = world.clients[i].without(id);
                }
            }
        }
    }

    private static void learnWeight(SimWorld world, int i, SimClaim claim, Answer answer) {
        if (answer.reweights() == claim.reweights() + 1) {
            world.clients[i] = world.clients[i].with(claim.weighing(claim.target(), 0, claim.reweights() + 1));
        } else if (answer.refusal() != null) {
            world.clients[i] = world.clients[i].with(claim.weighing(claim.weight(), 0, claim.reweights()));
        }
    }

    void pushed(SimWorld world, SimMessage.Pushed message) {
        int i = message.client();
        Push push = message.push();
        world.clients[i] = world.clients[i].deaf(false);
        if (world.clients[i].isInterestedIn(push.id())) {
            become(world, i, mutant.pushed(world.clients[i].current().belief(), push, world.nanos()));
        } else if (push.granted() && !world.clients[i].isLeaving(push.id())) {
            send(world, i, new Request.Leave(SimWorld.NAME, push.id(), false), 0);
        }
    }

    /** What {@code LiveClaim.become} does. */
    void become(SimWorld world, int i, Belief told) {
        boolean sticky = setup.roles().get(i).sticky();
        Belief next = sticky || !told.wanted() ? told : unwanted(told); // only who keeps makes anything of it
        SimClient client = world.clients[i];
        SimClaim claim = client.current();
        Belief before = claim.belief();
        long now = world.nanos();
        if (before.phase() == Phase.HELD && !before.isHeld(now) && next.isHeld(now)) {
            violation = new Violation(Kind.HELD_AGAIN, SimMoves.name(next.id()) + " was over before");
        }
        if (!next.phase().isFinal()) {
            world.clients[i] = client.with(claim.with(next));
            if (next.isHeld(now) && (!before.isHeld(now) || before.sequence() != next.sequence())) {
                Violation fell = SimChecks.token(world, claim.with(next), sticky);
                violation = fell != null && setup.hasTokens() ? fell : violation;
            }
            if (sticky && next.isHeld(now) && next.wanted()) {
                leave(world, i); // nobody uses it: what the gate does
            }
            return;
        }
        world.clients[i] = client.with((SimClaim) null);
        if (next.phase() == Phase.LOST || next.isUnclear()) {
            sendLeave(world, i, next.id(), next.isUnclear());
        }
        if (setup.prompt() && next.phase() == Phase.GONE) {
            world.clients[i] = world.clients[i].mayEnterAgain(); // whoever waits at the gate still waits
        }
    }

    private static Belief unwanted(Belief b) {
        return Beliefs.like(b, b.phase(), b.since(), b.anchor(), b.until(), false);
    }

    // What a client sends.

    private void transmit(SimWorld world, int i) {
        transmit(world, i, false);
    }

    private void transmit(SimWorld world, int i, boolean fresh) {
        SimClaim claim = world.clients[i].current();
        Belief b = claim.belief();
        ClaimSpec spec = b.spec();
        long lease = spec.lease();
        Request request = switch (b.phase()) {
            case ENTERING ->
                new Request.Enter(
                        SimWorld.NAME,
                        b.id(),
                        ClaimSpec.of(spec.capacity(), spec.weight(), lease)
                                .withFixedLease(spec.fixedLease())
                                .withIfFree(spec.ifFree())
                                .withSticky(spec.sticky()),
                        0,
                        OWNER);
            case YIELDING -> new Request.Yield(SimWorld.NAME, b.id(), b.sequence(), lease, 0);
            default -> new Request.Renew(SimWorld.NAME, b.id(), b.sequence(), lease, 0, fresh);
        };
        world.clients[i] = world.clients[i].with(claim.waitingForAnswer(setup.prompt() ? world.nanos() + TIMEOUT : 0));
        send(world, i, request, claim.request() + 1);
    }

    private void sendReweight(SimWorld world, int i) {
        SimClaim claim = world.clients[i].current();
        Belief b = claim.belief();
        send(
                world,
                i,
                new Request.Reweight(SimWorld.NAME, b.id(), b.sequence(), claim.reweights(), claim.target()),
                -1);
    }

    /** The belief is changed whenever the request is sent, as in {@code LiveClaim.transmit}. */
    private void sendFix(SimWorld world, int i) {
        SimClaim claim = world.clients[i].current();
        Belief b = claim.belief();
        long lease = left(world, claim.end());
        Belief next = mutant.fixing(b, lease, claim.reweights(), world.nanos());
        world.clients[i] = world.clients[i].with(claim.with(next));
        send(world, i, new Request.Fix(SimWorld.NAME, b.id(), b.sequence(), claim.reweights() - 1, lease), -1);
    }

    private static long left(SimWorld world, long end) {
        return Math.max(1, (end - world.nanos()) / 1000);
    }

    private void sendLeave(SimWorld world, int i, ClaimId id, boolean unclear) {
        sendLeave(world, i, leaving(world, i, id, unclear));
    }

    private Leaving leaving(SimWorld world, int i, ClaimId id, boolean unclear) {
        SimSetup.Role role = setup.roles().get(i);
        long now = world.nanos();
        long resendAt = setup.prompt() ? now + TIMEOUT : 0;
        long giveUpAt = setup.prompt() ? now + Math.max(role.lease(), role.hold()) * SimWorld.NANOS : 0;
        return new Leaving(id, unclear, resendAt, giveUpAt, 0, 0, 0);
    }

    private Leaving leaving(SimWorld world, int i, Belief left, long kept, int asked) {
        Leaving plain = leaving(world, i, left.id(), left.isUnclear());
        return new Leaving(
                plain.id(), plain.unclear(), plain.resendAt(), plain.giveUpAt(), kept, left.sequence(), asked);
    }

    private void sendLeave(SimWorld world, int i, Leaving leaving) {
        world.clients[i] = world.clients[i].leaving(leaving);
        Request leave = leaving.kept() <= world.nanos()
                ? new Request.Leave(SimWorld.NAME, leaving.id(), leaving.unclear())
                : new Request.Fix(
                        SimWorld.NAME, leaving.id(), leaving.sequence(), leaving.asked(), left(world, leaving.kept()));
        send(world, i, leave, 0);
    }

    private static void send(SimWorld world, int i, Request request, int number) {
        world.net.add(new SimMessage.Asked(i, request, number == 0 ? 0 : world.nanos(), number));
    }
}
