package io.belay.internal.gate;

import io.belay.LeaseLostException;
import io.belay.LockStatistics.HoldEnd;
import io.belay.ReleaseOutcome;
import io.belay.internal.claim.ClaimOwner;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.Renewals;
import io.belay.internal.machine.Caller;
import io.belay.internal.machine.Entry;
import io.belay.internal.machine.Failure;
import io.belay.internal.machine.Loss;
import io.belay.internal.machine.Machine;
import io.belay.internal.machine.Sent;
import io.belay.internal.machine.Stay;
import io.belay.internal.machine.Terms;
import io.belay.internal.time.StepLock;
import io.belay.internal.time.Timers;
import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The place where everybody in this client who wants one lock in one way queues, so that the store sees one claim for many
 * callers. What is decided there decides its {@link Machine}; around that a gate has the lock under which it takes its steps, the
 * outbox of what follows them, one timer, and those who count and look.
 *
 * <p>The lock is never held while anything is sent or anybody is called. A gate that nobody uses retires: it is not found any
 * more and leaves nothing behind.
 */
public final class Gate extends Timers.Timer implements ClaimOwner, StepLock.Owner {
    static final CompletableFuture<ReleaseOutcome> RELEASED =
            CompletableFuture.completedFuture(ReleaseOutcome.RELEASED);

    /** A delay of a release by which the lock is free at once, also if it was to stay taken behind that. */
    static final long KEEP_NO_LONGER = -1;

    final Gates gates;
    public final Engine engine;
    final Terms terms;
    private final int number;
    final Tally.Frequent counts = new Tally.Frequent();
    private final Machine machine;
    private final @Nullable Runnable noticed;
    private final StepLock steps = new StepLock(this);
    /** When the timer is to fire, as the last step that could be settled has it, and when it will. */
    private long due = Long.MAX_VALUE;

    private long dueAt = Long.MAX_VALUE;
    private @Nullable Tally family;
    /** True once the others know that a claim may be kept here that nobody uses. */
    boolean isKeeper;

    /** Makes a gate of these, which know it until it retires; {@code noticed}, if any, is called when there is something new. */
    Gate(Gates gates, Terms terms, @Nullable Runnable noticed) {
        this.gates = gates;
        this.terms = terms;
        this.noticed = noticed;
        engine = gates.engine;
        number = gates.numbers.incrementAndGet();
        machine = new Machine(terms, engine, new StepEffects());
    }

    /** Returns the same in each run, unlike an object's own: sets of gates are gone through in an order that depends on it. */
    @Override
    public int hashCode() {
        return number;
    }

    // A step.

    /** Returns whether the present thread is taking a step here, for assertions: known only where these are enabled. */
    boolean isInStep() {
        return steps.isHeldExclusively();
    }

    /** Begins a step of the machine, inside the try that {@code steps.begin()} opens: what that one throws ends no step. */
    private void begin() {
        long now = engine.time.nanos(); // not before: a lease may end while this thread waits for its step
        machine.begin(now, engine.wallOffset(now), engine.state());
    }

    @Override
    public void settle() {
        try {
            machine.settle();
            due = machine.due();
        } catch (Throwable e) { // the next step tries again: somebody is to take it
            due = Caller.earlier(due, engine.time.nanos() + Timers.AGAIN);
            throw e;
        }
    }

    /** Sets the timer: not before, as what was sent may be answered at once, and be followed by other steps. */
    @Override
    public void rearm() {
        if (due != dueAt) {
            engine.timers.schedule(this, due);
            dueAt = due; // not before, as the next step tries again what has failed
        }
    }

    @Override
    public void step(Consumer<? super Machine> event) {
        try (var unused = steps.begin()) {
            begin();
            event.accept(machine);
        }
    }

    @Override
    public <T extends @Nullable Object> T ask(Function<? super Machine, ? extends T> event) {
        try (var unused = steps.begin()) {
            begin();
            return event.apply(machine);
        }
    }

    @Override
    public void fire(long now) {
        try {
            step(its -> {
                dueAt = Long.MAX_VALUE;
                due = Long.MAX_VALUE;
                its.tick();
            });
        } catch (Throwable e) { // it fires again in a moment; if that cannot be set the next step does so
            dueAt = Long.MAX_VALUE;
            throw e;
        }
        engine.renewals.flush(Renewals.CHUNK);
    }

    // What those call who wait and hold.

    /** Brings one who wants the lock, for at most that many nanoseconds, unless it is to go elsewhere. */
    public Entry enter(Hold hold, long wait) {
        try (var unused = steps.begin()) { // without a lambda, which is not always for nothing
            begin();
            return machine.arrived(hold, wait);
        }
    }

    /** Has one abandoned whose future was completed by somebody else, or is had by nobody as this fails. */
    public void follow(Hold hold, CompletableFuture<?> future) {
        if (hold.isPending()) {
            watchWait();
        }
        if (!hold.completes || !future.isDone()) { // a caller may have had it, and completed it, before
            try {
                future.whenComplete((value, error) -> {
                    if (!hold.completes && hold.failure() == null) {
                        hold.abandon(); // now, though the callback executor may be busy, with those who wait for it
                    }
                });
            } catch (Throwable e) {
                hold.abandon();
                throw e;
            }
        }
    }

    /** Ends a wait, whose end is told in a moment; returns false if it was over before. */
    boolean giveUp(Hold waiter) {
        return ask(its -> its.gaveUp(waiter, Failure.CANCELLED));
    }

    /** Begins to give a hold back, and keeps the lock taken for so many nanoseconds at least, or {@link #KEEP_NO_LONGER}. */
    void release(Hold hold, long delay) {
        try {
            tryToRelease(hold, delay);
        } catch (Throwable e) { // as no memory is left, or no stack: its holder may not come back for it
            engine.timers.schedule(
                    Timers.Timer.of(() -> tryToRelease(hold, delay)), engine.time.nanos() + Timers.AGAIN);
            throw e;
        }
        engine.timers.help(engine.time.nanos());
    }

    /** Does so by a step; what fails is to be done again. */
    private void tryToRelease(Hold hold, long delay) {
        try (var unused = steps.begin()) {
            begin();
            if (delay == KEEP_NO_LONGER) {
                machine.keepNoLonger(hold);
            }
            machine.released(hold, delay);
            if (hold.outcome == null) {
                hold.giveBack(new CompletableFuture<>()); // the outcome follows
            }
        }
    }

    /** Asks the store something about a hold. */
    public Question ask(Hold hold, BiConsumer<Machine, Caller.Ticket> question) {
        Question asked = new Question(hold);
        step(its -> question.accept(its, asked));
        return asked;
    }

    // What the store and the client's life bring.

    @Override
    public void answered(Stay stay, @Nullable Answer answer, @Nullable Throwable error, Sent sent) {
        boolean present = engine.isOwn(stay.id); // else it tells of the connection before a pause
        StoreException failure = answer == null ? engine.noteFailure(error, present) : null;
        if (answer != null && present) {
            engine.noteAnswer(sent.at());
        }
        if (terms.use == Terms.Use.ONE && answer != null && stay.known() == null) {
            // Before the step: where this fails the answer has not come, and is asked for again.
            engine.backlog.answered(stay, answer.state() == Answer.State.WAITING);
        }
        try (var unused = steps.begin()) { // without a lambda, which is not always for nothing
            begin();
            machine.answered(stay, answer, failure, sent);
        }
        // A late copy of its enter has entered a claim anew whose kept one is over: nobody wants that.
        if (answer != null && answer.sequence() > stay.sequence() && engine.kept.contains(stay.id.number())) {
            engine.send(Request.Leave.of(stay.resource, stay.id, false));
        }
    }

    // What is shown, and told.

    /** Returns the family of the lock, which is found when something is first counted for it. */
    Tally family() {
        Tally known = family;
        family = known == null ? gates.families.of(terms.name) : known;
        return family;
    }

    /** Shows all who hold and wait. */
    void visit(Consumer<Hold> holds, Consumer<Hold> waits) {
        step(its -> its.visit(caller -> holds.accept((Hold) caller), caller -> waits.accept((Hold) caller)));
    }

    /** Has somebody look at how long waits last; called by who is about to wait, and stands in the queue. */
    void watchWait() {
        if (gates.slowWatch.looksAtWaits) {
            gates.slowWatch.add(this);
        }
    }

    // What follows a step.

    /** A question to the store about a hold, whose future is done with what it refused, or nothing. */
    public static final class Question extends Caller.Ticket {
        final CompletableFuture<Optional<String>> answer = new CompletableFuture<>();

        public Question(Hold hold) {
            super(hold);
        }

        /** Returns what will be the hold with the other weight, or nothing. */
        public CompletableFuture<Optional<Hold>> changed() {
            return answer.thenApply(told -> Optional.ofNullable((Hold) next));
        }
    }

    /** Does what the machine calls for, within its step. */
    private final class StepEffects implements Machine.Effects {
        @Override
        public void begun(Stay stay) {
            engine.claims.put(stay.id.number(), Gate.this);
        }

        @Override
        public boolean delays(Stay stay) {
            return engine.backlog.delays(Gate.this, stay, terms.use == Terms.Use.ONE && stay.queues());
        }

        @Override
        public boolean isBehindOthers(Stay stay) {
            return engine.backlog.isBehindOthers(stay);
        }

        @Override
        public void send(Stay stay, Request request, int number, boolean leave) {
            steps.later(() -> {
                boolean reweight = request instanceof Request.Reweight;
                Sent sent = new Sent(number, engine.time.nanos(), engine.time.wallOffset(), leave, reweight);
                // Of any claim it may be said that it ends, also of one that a pause has ended.
                var told = leave ? engine.send(request) : engine.sendOwn(stay.id, request);
                told.whenComplete((answer, error) -> answered(stay, answer, error, sent));
            });
        }

        @Override
        public void renew(Stay stay, Request.Renew request, int number) {
            engine.renewals.add(Gate.this, stay, request, number);
        }

        @Override
        public void describe(Stay stay, Request.Describe request) {
            steps.later(() -> engine.sendOwn(stay.id, request).whenComplete((answer, error) -> {
                if (error != null) {
                    step(its -> its.notDescribed(stay));
                }
            }));
        }

        @Override
        public void unclear(Stay stay, boolean is) {
            if (is) {
                engine.backlog.add(stay);
            } else {
                engine.backlog.forget(stay); // in the step, which is taken again if that fails
            }
        }

        @Override
        public void kept(Stay stay, long nanos) {
            engine.kept.add(stay.id.number(), engine.time.nanos());
            if (stay.isUnclear()) { // a late copy of its enter may enter it anew
                engine.leaveLater(stay.resource, stay.id, true, nanos + nanos / 50 + 1_000_000_000);
            }
        }

        @Override
        public void over(Stay stay) {
            engine.claims.remove(stay.id.number());
            if (terms.use == Terms.Use.ONE || !stay.isSent()) {
                engine.backlog.forget(stay);
            }
        }

        @Override
        public void granted(Caller caller, long token, boolean handOff, long now) {
            Hold hold = (Hold) caller;
            hold.begins();
            counts.acquired(hold.waited(now), handOff);
            watchHold();
            if (noticed != null) {
                noticed();
            }
            tell(hold); // last: who is to be woken up has it
        }

        private void watchHold() {
            if (gates.slowWatch.longHold != Long.MAX_VALUE) {
                gates.slowWatch.add(Gate.this);
            }
        }

        @Override
        public void waitsFor(Caller caller, Caller holder) {
            if (gates.deadlocks.after != Long.MAX_VALUE && ((Hold) caller).waitsForItself((Hold) holder)) {
                steps.later(() -> gates.deadlocks.itself((Hold) caller, (Hold) holder));
            }
        }

        @Override
        public void invited(Caller caller) {
            steps.later(((Hold) caller)::wake);
        }

        @Override
        public void ended(Caller caller, Failure how, long now) {
            family().gaveUp(how.end(), caller.waited(now));
            if (!isKeeper && machine.keepsPlace()) {
                gates.keeps(Gate.this);
            }
            tell((Hold) caller);
        }

        private void tell(Hold waiter) {
            Deadlocks.LongWait suspected = waiter.longWait;
            if (suspected != null) {
                steps.later(() -> gates.deadlocks.ended(suspected));
            }
            if (waiter.needsWakeUp()) {
                steps.later(waiter::wake);
            }
        }

        @Override
        public void released(Caller caller, ReleaseOutcome outcome) {
            Hold hold = (Hold) caller;
            if (noticed != null && outcome != ReleaseOutcome.ALREADY_LOST) { // which was told as it was lost
                noticed(); // before whoever waits for the outcome
            }
            CompletableFuture<ReleaseOutcome> begun = hold.outcome;
            if (begun == null) {
                hold.giveBack(
                        outcome == ReleaseOutcome.RELEASED ? RELEASED : CompletableFuture.completedFuture(outcome));
                if (outcome == ReleaseOutcome.RELEASED) {
                    counts.released(caller.heldUntilRelease());
                }
                return;
            }
            steps.later(() -> begun.complete(outcome));
            if (outcome != ReleaseOutcome.ALREADY_LOST) {
                HoldEnd end = outcome == ReleaseOutcome.RELEASED ? HoldEnd.RELEASED : HoldEnd.UNKNOWN;
                family().ended(end, caller.heldUntilRelease());
            }
        }

        @Override
        public void succeeded(Caller caller, Caller next, boolean inside) {
            if (inside) {
                ((Hold) caller).passListenersTo((Hold) next);
            }
            released(caller, ReleaseOutcome.RELEASED);
            counts.acquired(0, false);
            watchHold();
        }

        @Override
        public void lost(Caller caller, Loss loss, long now) {
            Hold hold = (Hold) caller;
            if (hold.loss() != null) {
                return; // it was told, and something else of that step failed
            }
            Duration time = Duration.ofNanos(hold.isReleased() ? hold.heldUntilRelease() : now - hold.acquired());
            String text = Messages.lost(
                    terms.name, hold.token(), time, loss.words, hold.claim().confirmation());
            LeaseLostException lost = LeaseLostException.of(terms.name, hold.token())
                    .lost(loss.reason)
                    .held(time)
                    .withMessage(text);
            if (noticed != null) {
                noticed();
            }
            steps.later(hold::tellLoss);
            hold.lose(lost);
        }

        @Override
        public void told(Caller.Ticket ticket, @Nullable String refusal) {
            steps.later(() -> ((Question) ticket).answer.complete(Optional.ofNullable(refusal)));
        }

        @Override
        public void noticed() {
            steps.later(Objects.requireNonNull(noticed)); // as there is somebody who is told
        }

        @Override
        public void warn(String kind, String text) {
            steps.later(() -> engine.events.warn(kind, terms.name, text));
        }

        @Override
        public void refused(String reason) {
            steps.later(() -> engine.events.refused(terms.name, reason));
        }

        @Override
        public void retired() {
            try {
                family().take(counts); // while who looks still finds this gate
            } finally {
                gates.retire(Gate.this);
                gates.slowWatch.watched.remove(Gate.this);
            }
        }
    }
}
