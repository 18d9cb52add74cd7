package io.belay.internal;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.Release;
import io.belay.simulation.Hooks;
import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the engine does where a cure is switched off: see {@link PlantedFault}. */
final class Uncured {
    private static final long POLL = 1_000_000;

    /** Whether the step that a thread is about is settled. */
    private static final Map<Thread, BooleanSupplier> CONDITIONS = new HashMap<>();

    private Uncured() {}

    static void fireAndFail(Timers.Timer timer, long now) {
        timer.fire(now);
        Hooks.failNowAndThen();
    }

    static void watch(Timers timers) {
        timers.run();
        Hooks.park(POLL);
    }

    static void help(Timers timers, long now) {}

    static void replace(Timers timers) {}

    static void perform(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            // the others follow
        }
    }

    static void execute(Callbacks callbacks, Runnable task) {
        try {
            Hooks.executor().execute(task);
        } catch (RejectedExecutionException e) {
            callbacks.tell(task);
        }
    }

    static void tellHere(Callbacks callbacks, Runnable task) {
        Workers.perform(task);
    }

    static void tellByThread(Callbacks callbacks, Runnable task) {
        Hooks.startThread("notice", () -> Workers.perform(task));
    }

    static void answered(LiveClaim claim, @Nullable Answer answer, @Nullable Throwable error, SentRequest sent) {
        settlingIfChanged(claim, "answered", () -> claim.answered(answer, error, sent));
    }

    static void fire(LiveClaim claim, long now) {
        settlingIfChanged(claim, "fire", () -> claim.fire(now));
    }

    private static void settlingIfChanged(LiveClaim claim, String method, Runnable step) {
        Belief before = claim.belief();
        CONDITIONS.put(Thread.currentThread(), () -> !claim.belief().looksLike(before));
        try {
            Inside.asItIs(method, step);
        } finally {
            CONDITIONS.remove(Thread.currentThread());
        }
    }

    static void settleIfChanged(StepLock steps) {
        BooleanSupplier condition = CONDITIONS.get(Thread.currentThread());
        if (condition == null || condition.getAsBoolean()) {
            Inside.asItIs("settle", steps::settle);
        }
    }

    static Belief keepsItsEnd(Belief before, Answer answer, long sent, long offset, long now) {
        Belief after = Inside.asItIs("answered", () -> before.answered(answer, sent, offset, now));
        boolean same = before.phase() == Belief.Phase.HELD
                && after.phase() == Belief.Phase.HELD
                && before.sequence() == after.sequence();
        return same && before.until() - after.until() > 0 ? lasting(after, after.anchor(), before.until()) : after;
    }

    private static Belief lasting(Belief b, Belief.@Nullable Anchor anchor, long until) {
        return Beliefs.like(b, b.phase(), b.since(), anchor, until, b.wanted());
    }

    static boolean neverJumped(Push push, Belief.Anchor anchor, long now) {
        return false;
    }

    static Belief isSureAnyway(Belief before, Answer answer, long sent, long offset, long now) {
        Belief after = Inside.asItIs("answered", () -> before.answered(answer, sent, offset, now));
        Belief.Anchor anchor = after.anchor();
        boolean held = before.phase() == Belief.Phase.HELD && after.phase() == Belief.Phase.HELD;
        if (!held || anchor == null || anchor.offset() == offset) {
            return after;
        }
        Belief.Anchor sure = new Belief.Anchor(anchor.sent(), anchor.time(), anchor.server(), offset);
        return lasting(after, sure, before.until());
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
        return claim.belief().spec().weight() == 1 && ((Engine) field(claim, "engine")).isClosed();
    }

    static boolean isNotClosing(Engine engine) {
        return false;
    }

    static void loseSilently(Gate gate, Hold hold, @Nullable String why, long now) {
        if (Messages.CLOSED.equals(why)) {
            gate.endTimer(hold);
            hold.giveBack(Gate.RELEASED);
        } else {
            Inside.asItIs("lose", () -> gate.lose(hold, why, now));
        }
    }

    static void isNeverLate(LiveClaim claim) {}

    static void passNothing(Hold hold, Hold next) {}

    static boolean giveBack(ReentrantLock view, Lease lease) {
        return ((Hold) lease).releasePromptly() == Release.RELEASED;
    }

    @SuppressWarnings("unchecked")
    static void tellAllAtOnce(Hold hold) {
        List<Consumer<? super LeaseLostException>> all =
                (List<Consumer<? super LeaseLostException>>) field(hold, "listeners");
        LeaseLostException loss = hold.loss();
        if (all != null) {
            hold.gate().engine().callbacks().tell(() -> all.forEach(listener -> listener.accept(loss)));
        }
    }

    static void executeOrDrop(Callbacks callbacks, Runnable task) {
        try {
            Hooks.executor().execute(task);
        } catch (Throwable e) {
            // nobody hears of it
        }
    }

    static List<? extends CompletionStage<Answer>> renewTogether(Engine engine, List<Request.Renew> chunk) {
        List<CompletableFuture<Answer>> each = engine.store().renew(chunk).stream()
                .map(CompletionStage::toCompletableFuture)
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new));
        return each.stream().map(one -> all.thenCompose(done -> one)).toList();
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
