package io.belay.internal.gate;

import io.belay.LeaseLostException;
import io.belay.OwnWait;
import io.belay.internal.Inside;
import io.belay.internal.claim.Engine;
import io.belay.internal.machine.ClientState;
import io.belay.internal.machine.Entry;
import io.belay.internal.machine.Terms;
import io.belay.simulation.Hooks;
import io.belay.simulation.Switch;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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

    public static List<Switch> listenerIsDropped() {
        return List.of(Switch.body(Hold::passListenersTo, UncuredGates::passNothing));
    }

    public static List<Switch> listenersShareFate() {
        return List.of(Switch.body(Hold::tellLoss, UncuredGates::tellAllAtOnce));
    }

    public static List<Switch> interruptedIsStillQueued() {
        return List.of(Switch.result(Gate::giveUp, UncuredGates::leaveLater).around());
    }

    public static List<Switch> lossIsToldLate() {
        return List.of(Switch.body(Hold::tellLoss, UncuredGates::tellLater));
    }

    public static List<Switch> lossIsToldByTheStore() {
        return List.of(
                Switch.body(Hold::tellLoss, UncuredGates::tellOnceAnswered).around());
    }

    public static List<Switch> interruptIsLost() {
        return List.of(Switch.result(Hold::awaitUninterruptibly, UncuredGates::forgetAnInterrupt)
                .around());
    }

    public static List<Switch> interruptEndsNoWait() {
        return List.of(Switch.result(Hold::await, UncuredGates::awaitAllTheSame));
    }

    public static List<Switch> cancelledIsStillQueued() {
        return List.of(Switch.body(Gate::follow, UncuredGates::followNobody));
    }

    public static List<Switch> drainTellsNoLongHold() {
        return List.of(Switch.body(SlowWatch::fire, UncuredGates::lookWhileOpen).around());
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
        return List.of(Switch.body(Tally.Frequent::released, UncuredGates::countNothing));
    }

    public static List<Switch> releasedIsHeld() {
        return List.of(Switch.result(Hold::isHeld, UncuredGates::isNotOver));
    }

    public static List<Switch> acquisitionIsNotForgotten() {
        return List.of(Switch.body(Gates::retire, UncuredGates::retireOthers).around());
    }

    static void retireOthers(Gates gates, Gate gate) {
        if (gate.terms.use != Terms.Use.ONE) {
            Inside.asItIs("retire", () -> gates.retire(gate));
        }
    }

    static boolean isNotOver(Hold hold) {
        return hold.loss() == null && hold.left(hold.gate.engine.time.nanos()) > 0;
    }

    static long tellMuchLater(SlowWatch watch, Hold waiter) {
        long after = Inside.asItIs("tellAfter", () -> watch.tellAfter(waiter));
        return after == Long.MAX_VALUE ? after : 8 * after;
    }

    static List<OwnWait> listNobody(Gates gates) {
        return List.of();
    }

    static void countNothing(Tally.Frequent counts, long held) {}

    static void tellLater(Hold hold) {
        Engine engine = hold.gate.engine;
        long until = engine.time.nanos() + 1_000_000_000;
        engine.callbacks.tell(() -> {
            for (long left = 1; left > 0; left = until - engine.time.nanos()) {
                engine.threads.parkNanos(hold, left);
            }
            Inside.asItIs("tellLoss", hold::tellLoss);
        });
    }

    static void tellOnceAnswered(Hold hold) {
        hold.gate.engine.inspect(hold.name()).whenComplete((seen, error) -> Inside.asItIs("tellLoss", hold::tellLoss));
    }

    static boolean forgetAnInterrupt(Hold hold) {
        boolean had = Inside.asItIs("awaitUninterruptibly", hold::awaitUninterruptibly);
        var unused = Hooks.interruptedNow();
        return had;
    }

    static boolean awaitAllTheSame(Hold hold) {
        return hold.awaitUninterruptibly();
    }

    static void followNobody(Gate gate, Hold hold, CompletableFuture<?> future) {}

    static void lookWhileOpen(SlowWatch watch, long now) {
        Gates gates = (Gates) Objects.requireNonNull(field(SlowWatch.class, watch, "gates"));
        if (gates.engine.state() == ClientState.OPEN) {
            Inside.asItIs("fire", () -> watch.fire(now));
        }
    }

    static Entry enterForHalf(Gate gate, Hold hold, long wait) {
        return Inside.asItIs("enter", () -> gate.enter(hold, wait == Long.MAX_VALUE ? wait : wait / 2));
    }

    static boolean isHeldNow(Hold hold) {
        return hold.isHeld();
    }

    static boolean isNotHeldNow(Hold hold) {
        return !hold.isHeld();
    }

    static void passNothing(Hold hold, Hold next) {}

    @SuppressWarnings("unchecked")
    static void tellAllAtOnce(Hold hold) {
        List<Consumer<? super LeaseLostException>> all =
                (List<Consumer<? super LeaseLostException>>) field(Hold.class, hold, "listeners");
        LeaseLostException loss = hold.loss();
        if (all != null) {
            hold.gate.engine.callbacks.tell(() -> all.forEach(listener -> listener.accept(loss)));
        }
    }

    static boolean leaveLater(Gate gate, Hold waiter) throws InterruptedException {
        boolean gaveUp = Inside.asItIs("giveUp", () -> gate.giveUp(waiter));
        if (gaveUp && waiter.isThread()) {
            throw new InterruptedException();
        }
        return gaveUp;
    }

    private static @Nullable Object field(Class<?> type, Object of, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
