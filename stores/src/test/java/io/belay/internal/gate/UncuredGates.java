package io.belay.internal.gate;

import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.OwnWait;
import io.belay.internal.Inside;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.LiveClaim;
import io.belay.simulation.Hooks;
import io.belay.simulation.Switch;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What gates and holds do where a cure is switched off: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredGates {
    private UncuredGates() {}

    public static List<Switch> unsureIsLost() {
        return List.of(
                Switch.result(Hold::isHeldForSure, UncuredGates::isHeldNow),
                Switch.result(Hold::isLost, UncuredGates::isNotHeldNow));
    }

    public static List<Switch> closeLetsReadersIn() {
        return List.of(Switch.result(ClientTurn::isGranted, UncuredGates::isClaimed));
    }

    public static List<Switch> closeIsSilent() {
        return List.of(Switch.body(Gate::lose, UncuredGates::loseSilently).around());
    }

    public static List<Switch> listenerIsDropped() {
        return List.of(Switch.body(Hold::passListenersTo, UncuredGates::passNothing));
    }

    public static List<Switch> listenersShareFate() {
        return List.of(Switch.body(Hold::tellLoss, UncuredGates::tellAllAtOnce));
    }

    public static List<Switch> readersTryIsRefused() {
        return List.of(
                Switch.result(SharedGate::enterNow, UncuredGates::refuseTries).around());
    }

    public static List<Switch> interruptedIsStillQueued() {
        return List.of(Switch.result(BlockingWaiter::interrupted, UncuredGates::leaveLater));
    }

    public static List<Switch> newcomerComesFirst() {
        return List.of(Switch.result(ExclusiveGate::mayBarge, UncuredGates::mayAlwaysBarge));
    }

    public static List<Switch> atLeastIsForgotten() {
        return List.of(Switch.result(Hold::isKept, UncuredGates::isNeverKept));
    }

    public static List<Switch> lossIsToldLate() {
        return List.of(Switch.body(Hold::tellLoss, UncuredGates::tellLater));
    }

    public static List<Switch> halfTheTimeIsWaited() {
        return List.of(Switch.result(Gate::enter, UncuredGates::enterForHalf).around());
    }

    public static List<Switch> slowWaitIsToldLate() {
        return List.of(
                Switch.result(SlowWatch::tellAfter, UncuredGates::tellMuchLater).around());
    }

    public static List<Switch> waitsAreNotListed() {
        return List.of(Switch.result(Gates::waits, UncuredGates::listNobody));
    }

    public static List<Switch> releaseIsNotCounted() {
        return List.of(Switch.body(GateCounts::released, UncuredGates::countNothing));
    }

    static long tellMuchLater(SlowWatch watch, int told) {
        long after = Inside.asItIs("tellAfter", () -> watch.tellAfter(told));
        return after == Long.MAX_VALUE ? after : 8 * after;
    }

    static List<OwnWait> listNobody(Gates gates) {
        return List.of();
    }

    static void countNothing(GateCounts counts, long held) {}

    static boolean isNeverKept(Hold hold, long now) {
        return false;
    }

    static void tellLater(Hold hold) {
        Engine engine = hold.gate().engine();
        long until = engine.time().nanos() + 1_000_000_000;
        engine.callbacks().tell(() -> {
            for (long left = 1; left > 0; left = until - engine.time().nanos()) {
                engine.threads().parkNanos(hold, left);
            }
            Inside.asItIs("tellLoss", hold::tellLoss);
        });
    }

    static Gate.Entry enterForHalf(Gate gate, Waiter waiter, long wait) {
        return Inside.asItIs("enter", () -> gate.enter(waiter, wait == Long.MAX_VALUE ? wait : wait / 2));
    }

    static boolean isHeldNow(Hold hold) {
        return hold.isHeld();
    }

    static boolean isNotHeldNow(Hold hold) {
        return !hold.isHeld();
    }

    static boolean isClaimed(ClientTurn turn) {
        LiveClaim claim = turn.claim();
        return claim != null
                && (claim.belief().phase() == Belief.Phase.HELD
                        || (claim.belief().phase() == Belief.Phase.WAITING && isBeingClosed(claim)));
    }

    private static boolean isBeingClosed(LiveClaim claim) {
        return claim.belief().spec().weight() == 1 && ((Engine) field(claim, "engine")).isDown();
    }

    static void loseSilently(Gate gate, Hold hold, LossReason reason, @Nullable String why, long now) {
        if (reason == LossReason.CLOSED) {
            gate.endTimer(hold);
            hold.giveBack(Gate.RELEASED);
        } else {
            Inside.asItIs("lose", () -> gate.lose(hold, reason, why, now));
        }
    }

    static void passNothing(Hold hold, Hold next) {}

    @SuppressWarnings("unchecked")
    static void tellAllAtOnce(Hold hold) {
        List<Consumer<? super LeaseLostException>> all =
                (List<Consumer<? super LeaseLostException>>) field(hold, "listeners");
        LeaseLostException loss = hold.loss();
        if (all != null) {
            hold.gate().engine().callbacks().tell(() -> all.forEach(listener -> listener.accept(loss)));
        }
    }

    static Gate.Entry refuseTries(SharedGate gate, Waiter waiter, long wait) {
        Collection<?> shares = (Collection<?>) field(gate, "shares");
        boolean pending = shares.stream().anyMatch(share -> !((ClientTurn) field(share, "turn")).isGranted());
        if (waiter.request.ifFree() && pending) {
            gate.end(waiter, Outcome.NOT_HAD);
            return Gate.Entry.ENTERED;
        }
        Gate.Entry[] entry = new Gate.Entry[1];
        Inside.asItIs("enterNow", () -> entry[0] = gate.enterNow(waiter, wait));
        return entry[0];
    }

    static Object leaveLater(BlockingWaiter waiter) throws InterruptedException {
        if (waiter.gate.giveUp(waiter) != null) {
            throw new InterruptedException();
        }
        Hooks.interrupt(Thread.currentThread());
        return waiter.outcome();
    }

    static boolean mayAlwaysBarge(ExclusiveGate gate) {
        return true;
    }

    private static @Nullable Object field(Object of, String name) {
        try {
            Field field = of.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
