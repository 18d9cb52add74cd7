package io.belay.internal.machine;

import io.belay.ReleaseOutcome;
import io.belay.internal.Inside;
import io.belay.internal.gate.Gate;
import io.belay.internal.gate.Hold;
import io.belay.simulation.Switch;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What machines do where a cure is switched off, or a rule taken out: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredMachines {
    private UncuredMachines() {}

    public static List<Switch> newsOfNothingIsNotTold() {
        return List.of(
                Switch.body(Machine::answered, UncuredMachines::answered).around(),
                Switch.result(Turn::isReady, UncuredMachines::isReadyOnceTold).around());
    }

    public static List<Switch> suspensionIsForgotten() {
        return List.of(
                Switch.result(Stay::answered, UncuredMachines::keepsItsEnd).around());
    }

    public static List<Switch> unconfirmedMakesSure() {
        return List.of(
                Switch.result(Stay::answered, UncuredMachines::isSureAnyway).around());
    }

    public static List<Switch> clockNeverJumps() {
        return List.of(Switch.result(Known::isOutrun, UncuredMachines::neverOutrun));
    }

    public static List<Switch> closeLetsReadersIn() {
        return List.of(
                Switch.result(Machine::isShut, UncuredMachines::isShutForOthers).around(),
                Switch.result(Turn::isGranted, UncuredMachines::isClaimed));
    }

    public static List<Switch> closeIsSilent() {
        return List.of(Switch.body(Turn::lose, UncuredMachines::loseSilently).around());
    }

    public static List<Switch> readersTryIsRefused() {
        return List.of(
                Switch.result(Machine::arrived, UncuredMachines::refuseTries).around());
    }

    public static List<Switch> newcomerComesFirst() {
        return List.of(Switch.result(Turn::mayBarge, UncuredMachines::mayAlwaysBarge));
    }

    public static List<Switch> atLeastIsForgotten() {
        return List.of(Switch.result(Caller::isKept, UncuredMachines::isNeverKept));
    }

    public static List<Switch> keptPermitsAreFreed() {
        return List.of(
                Switch.result(Caller::isKept, UncuredMachines::isKeptIfWhole).around());
    }

    public static List<Switch> closeLeavesNothing() {
        return List.of(
                Switch.body(Turn::leave, UncuredMachines::leaveUnlessClosed).around());
    }

    public static List<Switch> renewedForTooLong() {
        return List.of(Switch.result(Stay::renewal, UncuredMachines::renewalOfFourLeases)
                .around());
    }

    public static List<Switch> renewedForNoTime() {
        return List.of(Switch.result(Stay::renewal, UncuredMachines::renewalOfWhatIsLeft)
                .around());
    }

    public static List<Switch> forceIsNotHeard() {
        return List.of(
                Switch.result(Stay::answered, UncuredMachines::hearsOfNoEnd).around(),
                Switch.result(Stay::pushed, UncuredMachines::isToldOfNoEnd).around());
    }

    public static List<Switch> takenOnceReleased() {
        return List.of(
                Switch.body(Stay::outlive, UncuredMachines::outliveNothing).around(),
                Switch.result(Machine::newStay, UncuredMachines::enterForALease).around());
    }

    public static List<Switch> laterEndIsBelieved() {
        return List.of(
                Switch.body(Machine::extend, UncuredMachines::extendAtOnce).around());
    }

    public static List<Switch> upgradeIsRefused() {
        return List.of(Switch.body(Machine::upgrade, UncuredMachines::refuseUpgrade));
    }

    public static List<Switch> silenceIsEmpty() {
        return List.of(
                Switch.body(Machine::depart, UncuredMachines::departEmpty).around());
    }

    public static List<Switch> outageEndsAllWaits() {
        return List.of(
                Switch.body(Machine::answered, UncuredMachines::endAllWaits).around());
    }

    public static List<Switch> silenceIsToldEarly() {
        return List.of(
                Switch.body(Machine::answered, UncuredMachines::endLimitedWaits).around());
    }

    public static List<Switch> leaveFindsNothing() {
        return List.of(
                Switch.body(Machine::tellLeft, UncuredMachines::tellOfNothing).around());
    }

    public static List<Switch> leaveIsNotAnswered() {
        return List.of(
                Switch.body(Machine::tellLeft, UncuredMachines::tellOfNoAnswer).around());
    }

    private static Mutant mutant = new Mutant() {};

    /** Takes a rule out of the protocol. */
    public static void breakRule(String name) {
        mutant = BrokenRule.valueOf(name);
    }

    /** Returns the names of the rules that can be taken out so that a simulation may see it. */
    public static List<String> ruleNames() {
        return Arrays.stream(BrokenRule.values()).map(Enum::name).toList();
    }

    /** What has to be switched to take a rule out. */
    public static List<Switch> rules() {
        return List.of(
                Switch.result(Stay::answered, UncuredMachines::mutated).around(),
                Switch.result(Stay::pushed, UncuredMachines::pushed).around(),
                Switch.body(Stay::believeFix, UncuredMachines::believeFix).around());
    }

    /** The request that the store runs in the place of one. */
    public static Request request(Resource before, Request request) {
        return mutant.request(before, request);
    }

    /** What the store makes of a request in the place of a step. */
    public static Step step(Resource before, Request request, long now, Step step) {
        return mutant.step(before, request, now, step);
    }

    static News mutated(Stay stay, Answer answer, Sent sent, long now) {
        return Inside.asItIs("answered", () -> mutant.answered(stay, answer, sent, now));
    }

    static News pushed(Stay stay, Push push, long now) {
        return Inside.asItIs("pushed", () -> mutant.pushed(stay, push, now));
    }

    static void believeFix(Stay stay, long now) {
        Inside.asItIs("believeFix", () -> mutant.believeFix(stay, now));
    }

    static News hearsOfNoEnd(Stay stay, Answer answer, Sent sent, long now) {
        News news = Inside.asItIs("answered", () -> stay.answered(answer, sent, now));
        return stay.isHeld() && news == News.GONE ? News.NOTHING : news;
    }

    static News isToldOfNoEnd(Stay stay, Push push, long now) {
        News news = Inside.asItIs("pushed", () -> stay.pushed(push, now));
        return stay.isHeld() && news == News.GONE ? News.NOTHING : news;
    }

    /** The sequences of claims that an answer has made sure again, without anything else that can be seen. */
    private static final Map<Stay, Long> UNTOLD = new WeakHashMap<>();

    static void answered(
            Machine machine, Stay stay, @Nullable Answer answer, @Nullable StoreException error, Sent sent) {
        long before = stay.sequence();
        boolean unsure = stay.isHeld() && stay.isUnsure(machine.wallOffset);
        Inside.asItIs("answered", () -> machine.answered(stay, answer, error, sent));
        if (unsure && stay.isHeld() && stay.sequence() == before && !stay.isUnsure(machine.wallOffset)) {
            UNTOLD.put(stay, before);
        }
    }

    static boolean isReadyOnceTold(Turn turn, Stay by) {
        Long untold = UNTOLD.get(by);
        return (untold == null || untold != by.sequence()) && Inside.asItIs("isReady", () -> turn.isReady(by));
    }

    static News keepsItsEnd(Stay stay, Answer answer, Sent sent, long now) {
        boolean held = stay.isHeld();
        long sequence = stay.sequence();
        long until = stay.until();
        News news = Inside.asItIs("answered", () -> stay.answered(answer, sent, now));
        Known known = stay.known;
        if (held && stay.isHeld() && stay.sequence() == sequence && known != null && until - known.until() > 0) {
            stay.known = known.withUntil(until);
        }
        return news;
    }

    static boolean neverOutrun(Known last, long time, long now) {
        return false;
    }

    static News isSureAnyway(Stay stay, Answer answer, Sent sent, long now) {
        boolean held = stay.isHeld();
        long until = stay.until();
        News news = Inside.asItIs("answered", () -> stay.answered(answer, sent, now));
        Known known = stay.known;
        if (held && stay.isHeld() && known != null && known.wallOffset() != sent.wallOffset()) {
            stay.known = new Known(known.sent(), sent.wallOffset(), known.time(), known.server(), until);
        }
        return news;
    }

    static boolean isClaimed(Turn turn) {
        Stay stay = turn.stay;
        return stay != null
                && (stay.isHeld()
                        || (stay.phase == Phase.WAITING && turn.machine.terms.isShared && turn.machine.state.isDown()));
    }

    static boolean isShutForOthers(Machine machine) {
        return !(machine.terms.isShared && machine.state.isDown()) && Inside.asItIs("isShut", machine::isShut);
    }

    static void loseSilently(Turn turn, Caller caller, Loss why) {
        if (why == Loss.CLOSED || why == Loss.PAUSED) {
            turn.machine.holdEnds(caller);
            turn.holders.remove(caller);
            turn.machine.released(caller, ReleaseOutcome.RELEASED);
        } else {
            Inside.asItIs("lose", () -> turn.lose(caller, why));
        }
    }

    static Entry refuseTries(Machine machine, Caller caller, long wait) {
        if (machine.terms.isShared && caller.ifFree && machine.turns.stream().anyMatch(turn -> !turn.isGranted())) {
            machine.end(caller, Failure.NOT_HAD);
            return Entry.ENTERED;
        }
        return Inside.asItIs("arrived", () -> machine.arrived(caller, wait));
    }

    static boolean mayAlwaysBarge(Turn turn) {
        return true;
    }

    static boolean isNeverKept(Caller caller, long now) {
        return false;
    }

    static boolean isKeptIfWhole(Caller caller, long now) {
        boolean permits = caller.turn != null && caller.turn.machine.terms.spec.capacity() < Resource.WHOLE;
        return !permits && Inside.asItIs("isKept", () -> caller.isKept(now));
    }

    static void leaveUnlessClosed(Turn turn, @Nullable Caller leaver) {
        Stay left = turn.stay;
        if (left != null && turn.machine.state.isOver()) {
            turn.stay = null;
            turn.machine.stays.over(left, ReleaseOutcome.RELEASED);
        } else {
            Inside.asItIs("leave", () -> turn.leave(leaver));
        }
    }

    static Request.Renew renewalOfFourLeases(Stay stay, int localWaiters, long now) {
        Request.Renew renewal = Inside.asItIs("renewal", () -> stay.renewal(localWaiters, now));
        return Request.Renew.of(
                renewal.resource(),
                renewal.id(),
                renewal.sequence(),
                4 * renewal.lease(),
                localWaiters,
                renewal.fresh());
    }

    static Request.Renew renewalOfWhatIsLeft(Stay stay, int localWaiters, long now) {
        Request.Renew renewal = Inside.asItIs("renewal", () -> stay.renewal(localWaiters, now));
        return stay.isHeld()
                ? Request.Renew.of(
                        renewal.resource(),
                        renewal.id(),
                        renewal.sequence(),
                        Math.max(1, (stay.until() - now) / 1000),
                        localWaiters,
                        renewal.fresh())
                : renewal;
    }

    static void outliveNothing(Stay stay, long instant, long now) {
        Inside.asItIs("outlive", () -> stay.outlive(now, now));
    }

    static Stay enterForALease(Machine machine, String thread, String behalf, boolean ifFree, long atLeast) {
        return Inside.asItIs("newStay", () -> machine.newStay(thread, behalf, ifFree, 0));
    }

    static void extendAtOnce(Machine machine, Caller.Ticket ticket, long duration) {
        Inside.asItIs("extend", () -> machine.extend(ticket, duration));
        Caller.Ticket answered = new Gate.Question((Hold) ticket.hold);
        answered.end = ticket.end;
        answered.move = ticket.move;
        machine.tell(List.of(answered), null);
    }

    static void departEmpty(Machine machine, Caller caller, Failure how, boolean atOnce) {
        // At once departs whose claim has had no answer.
        Inside.asItIs("depart", () -> machine.depart(caller, atOnce ? Failure.NOT_HAD : how, atOnce));
    }

    static void endAllWaits(
            Machine machine, Stay stay, @Nullable Answer answer, @Nullable StoreException error, Sent sent) {
        Inside.asItIs("answered", () -> machine.answered(stay, answer, error, sent));
        endWaits(machine, stay, error, caller -> caller.limit == Caller.NEVER);
    }

    static void endLimitedWaits(
            Machine machine, Stay stay, @Nullable Answer answer, @Nullable StoreException error, Sent sent) {
        Inside.asItIs("answered", () -> machine.answered(stay, answer, error, sent));
        endWaits(machine, stay, error, caller -> caller.limit != Caller.NEVER);
    }

    /** Tells those who wait for what the store has not answered that it does not answer. */
    private static void endWaits(Machine machine, Stay stay, @Nullable StoreException error, Predicate<Caller> which) {
        Turn turn = machine.turnOf(stay);
        if (turn == null || error == null) {
            return;
        }
        Failure how = Failure.unavailable(machine.terms.name, ": " + error.getMessage());
        turn.queue.forEach(caller -> {
            if (which.test(caller)) {
                machine.end(caller, how);
            }
        });
    }

    static void tellOfNothing(Machine machine, Caller caller, ReleaseOutcome outcome) {
        Inside.asItIs(
                "tellLeft",
                () -> machine.tellLeft(caller, isOneInTwenty(caller) ? ReleaseOutcome.ALREADY_LOST : outcome));
    }

    static void tellOfNoAnswer(Machine machine, Caller caller, ReleaseOutcome outcome) {
        Inside.asItIs(
                "tellLeft", () -> machine.tellLeft(caller, isOneInTwenty(caller) ? ReleaseOutcome.UNKNOWN : outcome));
    }

    private static boolean isOneInTwenty(Caller caller) {
        return caller.token() / Claim.TOKENS % 20 == 0;
    }

    static void refuseUpgrade(Machine machine, Caller.Ticket ticket, int weight) {
        machine.effects.told(ticket, null);
    }
}
