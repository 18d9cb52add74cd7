package io.belay.internal.gate;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockMode;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.internal.claim.Engine;
import io.belay.internal.jfr.Recorder;
import io.belay.internal.machine.Asks;
import io.belay.internal.machine.Caller;
import io.belay.internal.machine.Failure;
import io.belay.internal.machine.Machine;
import io.belay.internal.machine.Stay;
import io.belay.internal.machine.Terms;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Workers;
import io.belay.spi.Confirmation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its user has it, from the moment at which it is asked for: it waits, a thread or a future, then it holds. It belongs to
 * one claim, one sequence and one place in the hand-offs within that, so that releasing a lost hold cannot touch what its gate holds
 * by now.
 */
public class Hold extends Caller implements Lease {
    /** The longest time that a holder may give, so that no arithmetic behind it can overflow. */
    private static final Duration LONGEST = Duration.ofDays(365);

    public final Gate gate;
    /** The thread that asked. */
    final Thread thread;
    /** The future that waits, or has waited, for it; null if its thread does. */
    private final @Nullable Completion<?> completion;

    /** True once the thread that locked by it was told, as it asked, that it is lost. */
    public volatile boolean isLossTold;
    /** How often it was told that the wait is slow, and since it is over, that the hold is long. */
    byte told;
    /** Whether its wait is looked at for deadlocks, or will be; only the timers' thread uses it. */
    boolean suspected;
    /** Whether it was told that it waits for what its own thread holds. */
    volatile boolean toldItself;
    /** Its wait, if that is being looked at. */
    volatile Deadlocks.@Nullable LongWait longWait;

    /** Whether its future is done by what it came to, or is about to be, and not by somebody else. */
    volatile boolean completes;

    /** Whether its thread, or whoever was to have its future, has gone without it: what it gets, or has got, is given back. */
    private volatile boolean isAbandoned;

    private Recorder.@Nullable Begun recording;

    // Written once each, in a step.
    /** What becomes of giving it back; null before that was begun. */
    volatile @Nullable CompletableFuture<ReleaseOutcome> outcome;
    /** Whether somebody has waited for that, and so knows it. */
    private volatile boolean isOutcomeKnown;

    private volatile @Nullable LeaseLostException loss;
    private @Nullable List<Consumer<? super LeaseLostException>> listeners;

    /**
     * A future of what an acquisition comes to, completed on the callback executor, where its dependents run.
     *
     * @param future the future
     * @param result makes what it yields of the lease
     * @param <T> what it yields
     */
    public record Completion<T>(CompletableFuture<T> future, Function<Optional<Lease>, T> result) {
        /** Returns false if nobody has what it came to: somebody completed it first, as by cancelling it, or nothing is made of the lease. */
        boolean complete(Hold hold) {
            if (future.isDone()) {
                return false;
            }
            T made;
            try {
                made = result.apply(hold.isHad() ? Optional.of(hold) : Optional.empty());
            } catch (Throwable e) { // why the wait has failed, or whatever it is: somebody waits for it
                return future.completeExceptionally(e) && hold.failure() != null;
            }
            return future.complete(made);
        }
    }

    /** Makes one that the present thread asks for: for a future, or for itself if there is none. A lease that nobody takes is given back. */
    public Hold(Gate gate, Asks asks, boolean ifFree, @Nullable Completion<?> completion) {
        super(asks, ifFree);
        this.gate = gate;
        this.completion = completion;
        thread = Thread.currentThread();
    }

    private Hold(Hold former, long now) {
        super(former, now);
        gate = former.gate;
        thread = former.thread;
        completion = former.completion;
        recording = Recorder.beginHold();
    }

    @Override
    protected Caller successor(long now) {
        return new Hold(this, now);
    }

    @Override
    public String threadName() {
        return Threads.name(thread);
    }

    @Override
    protected boolean isThread() {
        return completion == null;
    }

    /** Returns to whom it belongs: its thread, if that waits or has waited for it, else the one on whose behalf it works, or nobody. */
    Optional<Object> owner() {
        return completion == null
                ? Optional.of(thread)
                : Optional.<Object>of(asks.behalf).filter(who -> !who.equals(""));
    }

    /** Returns whether it is the thread that holds by the other, and waits for itself therefore. */
    boolean waitsForItself(Hold other) {
        return completion == null && !ifFree && other.completion == null && other.thread == thread;
    }

    // The wait.

    /** Returns whether to wake whoever waits; false for a thread that is taking this very step and looks after it. */
    boolean needsWakeUp() {
        return completion != null || isAbandoned || thread != Thread.currentThread();
    }

    /**
     * Wakes whoever waits, for an outcome or an invitation: a thread unless it found its outcome itself; an invitation wakes even
     * a thread that invites itself.
     */
    void wake() {
        assert !gate.isInStep();
        if (isAbandoned) {
            abandon();
        } else if (completion != null) {
            try {
                gate.engine.callbacks.run(this::complete);
            } catch (Throwable e) { // nobody else would tell its caller, unless that was done
                if (completion.future.completeExceptionally(e)) {
                    abandon();
                }
            }
        } else if (thread != Thread.currentThread() || isPending()) {
            gate.engine.threads.unpark(thread);
        }
    }

    private void complete() {
        completes = true;
        if (completion != null && (isAbandoned || !completion.complete(this))) {
            abandon();
        }
    }

    /** Gives up the wait, or back what it came to, which nobody has had; if that fails, once more when it comes to something. */
    void abandon() {
        isAbandoned = true;
        if (!gate.giveUp(this) && failure() == null) {
            beginRelease(Gate.KEEP_NO_LONGER);
        }
    }

    private void park() {
        Engine engine = gate.engine;
        long now = engine.time.nanos();
        waitsFrom(now);
        gate.watchWait();
        engine.timers.help(now);
        // Nothing may come between this look and parking: a lock that this thread met before may have taken its waking
        // for its own. It may have helped itself, too.
        if (isPending() && !isToCome()) {
            engine.threads.park(this);
        }
        if (isPending()) {
            gate.step(machine -> machine.awoke(this));
        }
    }

    /**
     * Waits for the outcome; returns whether the lock is had. A thread that is interrupted gives the wait up, unless the outcome
     * was there first.
     */
    public boolean await() throws InterruptedException {
        if (isPending() && gaveUp(true)) {
            throw new InterruptedException();
        }
        return isHad();
    }

    /** Waits for the outcome and keeps an interrupt for later; returns whether the lock is had. */
    public boolean awaitUninterruptibly() {
        return !(isPending() && gaveUp(false)) && isHad();
    }

    /**
     * Waits for the outcome; returns whether an interrupt came first that may end the wait. Then it has given up, and waited a
     * moment for the claim to leave the store. Any other interrupt is kept for later. Whoever is thrown an Error has abandoned it.
     */
    private boolean gaveUp(boolean mayGiveUp) {
        boolean interrupted = false;
        boolean gaveUp = false;
        try {
            Recorder.Begun recording = Recorder.beginWait();
            gate.engine.spin.await(this::isAnswerDue); // which may be due in a moment
            while (isPending()) {
                boolean first = Thread.interrupted() && !interrupted; // cleared each time, as nobody parks with it
                interrupted |= first;
                if (first && mayGiveUp) {
                    gaveUp = gate.giveUp(this);
                } else {
                    park();
                }
            }
            if (recording != null) {
                Failure failure = failure();
                WaitEnd end = failure == null ? WaitEnd.ACQUIRED : failure.end();
                // A wait that ended without the lock was never given a token: that is 0.
                recording.end(gate.terms.name, threadName(), token(), end.name().toLowerCase(Locale.ROOT));
            }
        } catch (Throwable e) { // as no memory is left, or no stack: nobody else would give back what it gets
            abandon();
            throw e;
        } finally {
            if (interrupted && !gaveUp) {
                Thread.currentThread().interrupt();
            }
        }
        return gaveUp;
    }

    /** Returns whether the wait has ended with the lock; throws if it has failed. */
    private boolean isHad() {
        Failure failure = failure();
        RuntimeException thrown = failure == null ? null : failure.exception();
        if (thrown != null) {
            throw thrown;
        }
        return failure == null;
    }

    // The hold.

    /** Begins to record. */
    void begins() {
        assert gate.isInStep();
        recording = Recorder.beginHold();
        told = 0;
    }

    /** Returns the claim by which it is held. */
    public Stay claim() {
        return Objects.requireNonNull(stay());
    }

    /** Returns why the lease is lost, once that is final; null before. */
    public @Nullable LeaseLostException loss() {
        return loss;
    }

    @Override
    public String name() {
        return gate.terms.name;
    }

    @Override
    public LockMode mode() {
        return Terms.mode(gate.terms.spec.capacity(), claim().weight());
    }

    @Override
    public OptionalInt replicas() {
        Confirmation known = claim().confirmation();
        return known == null ? OptionalInt.empty() : OptionalInt.of(known.replicas());
    }

    @Override
    public boolean isHeld() {
        return remainingNanos() > 0;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    private long remainingNanos() {
        long now = gate.engine.time.nanos();
        gate.engine.timers.help(now);
        boolean unsure = isUnsure(now); // before the end is read: that may be a later answer's, and no earlier one's
        long left = believedNanos(now);
        if (left > 0 && unsure) {
            gate.step(Machine::checkIfUnsure); // nobody waits for the answer
            return 0;
        }
        return left;
    }

    /** Returns what is left of the lease by the monotonic clock alone, in nanoseconds. */
    private long believedNanos(long now) {
        if (isReleased() || loss != null) {
            return 0;
        }
        long left = left(now);
        if (left <= 0) {
            gate.step(its -> {}); // makes it final before anybody is told
        }
        return Math.max(0, left);
    }

    /** Returns what is left until the lease ends, or the hold by its own limit, whatever has become of it; negative behind that. */
    long left(long now) {
        long left = claim().until() - now;
        return limit() == Long.MAX_VALUE ? left : Math.min(left, limit() - now);
    }

    /** Returns whether the machine may have been suspended since the last answer, and the lease have ended since. */
    boolean isUnsure(long now) {
        return claim().isUnsure(gate.engine.wallOffset(now));
    }

    /** Returns whether the lease is known to be lost: not so while the clocks leave that open. */
    public boolean isLost() {
        return !isReleased() && believedNanos(gate.engine.time.nanos()) <= 0;
    }

    /**
     * Returns whether the lease is held. Where the clocks leave that open, asks the store and waits for its answer,
     * for the request timeout at most.
     */
    public boolean isHeldForSure() {
        Engine engine = gate.engine;
        long end = engine.time.nanos() + engine.requestTimeout();
        while (true) {
            long now = engine.time.nanos();
            boolean unsure = isUnsure(now);
            boolean believed = believedNanos(now) > 0;
            if (!believed || !unsure) {
                return believed;
            }
            if (now - end >= 0 || !engine.await(gate.ask(this, Machine::ask).answer, end - now)) {
                return false;
            }
        }
    }

    @Override
    public void ensureHeld() {
        if (!isHeldForSure()) {
            LeaseLostException lost = loss;
            String lease = "The lease of '" + name() + "' ";
            String over = lost == null ? lease + "was released before" : String.valueOf(lost.getMessage());
            String unsure = lease + "is unsure: the machine seems to have been suspended, and the store does not"
                    + " answer; ask again shortly";
            throw notHeld(lost != null || isReleased() ? over : unsure);
        }
    }

    /** Returns the exception for a caller who relied on a lease that is not, or not surely, held. */
    public LeaseLostException notHeld(String message) {
        return notHeld(message, message);
    }

    /** Returns the same exception, with what there is to say if the lease is over, and if it is unsure; that may change at any moment. */
    public LeaseLostException notHeld(String over, String unsure) {
        LeaseLostException lost = loss;
        LeaseLostException.Builder told = LeaseLostException.of(name(), token());
        if (lost != null) {
            lost.reason().ifPresent(told::lost);
            lost.forcedBy().ifPresent(told::forcedBy);
            return told.held(lost.held()).cause(lost).withMessage(over);
        }
        told.held(Duration.ofNanos(gate.engine.time.nanos() - acquired()));
        return isReleased() ? told.released().withMessage(over) : told.withMessage(unsure);
    }

    @Override
    public Lease onLost(Consumer<? super LeaseLostException> listener) {
        Objects.requireNonNull(listener, "listener");
        LeaseLostException lost = gate.<@Nullable LeaseLostException>ask(machine -> {
            if (loss == null && !isReleased()) {
                listeners = listeners == null ? new ArrayList<>(1) : listeners;
                listeners.add(listener);
            }
            return loss;
        });
        if (lost != null) {
            gate.engine.callbacks.tell(() -> listener.accept(lost));
        }
        return this;
    }

    /** Makes the loss final. */
    void lose(LeaseLostException reason) {
        assert gate.isInStep();
        loss = reason;
        record("lost");
    }

    /** Has the successor's loss told to those who listen to this hold. */
    void passListenersTo(Hold next) {
        assert gate.isInStep();
        next.listeners = listeners;
        listeners = null;
    }

    /**
     * Tells the loss to the log and the listeners. One that may have been forced is told once the store has said by whom, or
     * could not, or the time for a request is over.
     */
    void tellLoss() {
        assert !gate.isInStep();
        LeaseLostException reason = Objects.requireNonNull(loss);
        LossReason why = reason.reason().orElseThrow();
        if (why == LossReason.FORCED || why == LossReason.FORGOTTEN) {
            try {
                gate.gates
                        .evictions
                        .by(claim(), acquired(), why == LossReason.FORCED)
                        .thenAccept(by -> {
                            Workers.perform(() -> by.ifPresent(who -> loss = Messages.forced(reason, who)));
                            tell(Objects.requireNonNull(loss));
                        });
            } catch (Throwable e) { // as no memory is left to ask by whom
                tell(reason);
            }
        } else {
            tell(reason);
        }
    }

    private void tell(LeaseLostException reason) {
        List<Consumer<? super LeaseLostException>> all = listeners; // none is added after the loss
        if (all != null) { // first, whatever becomes of the rest
            all.forEach(listener -> gate.engine.callbacks.tell(() -> listener.accept(reason)));
        }
        gate.family().lost(reason.reason().orElseThrow(), reason.held().toNanos());
        gate.engine.events.lost(reason);
    }

    /** Ends the hold from now on; the outcome may follow later. */
    void giveBack(CompletableFuture<ReleaseOutcome> result) {
        assert gate.isInStep();
        outcome = result;
        record("released");
        if (result == Gate.RELEASED) {
            listeners = null; // else a loss that the release has found, or will, is told yet
        }
    }

    /** Ends the recording of the hold, once: what was lost may be given back all the same. */
    private void record(String how) {
        Recorder.Begun begun = recording;
        recording = null;
        if (begun != null) {
            begun.end(name(), threadName(), token(), how);
        }
    }

    /** Begins to give back, and keeps the lock taken for so many nanoseconds at least; the outcome may follow later. */
    private CompletableFuture<ReleaseOutcome> beginRelease(long delay) {
        gate.release(this, delay);
        return Objects.requireNonNull(outcome);
    }

    /** Waits for the outcome of a release that was begun; an interrupt is kept for later. */
    private ReleaseOutcome await(CompletableFuture<ReleaseOutcome> begun) {
        if (!begun.isDone()) {
            gate.engine.spin.await(() -> !begun.isDone());
            gate.engine.await(begun, Long.MAX_VALUE);
        }
        isOutcomeKnown = true;
        return begun.join();
    }

    @Override
    public ReleaseOutcome release() {
        return await(beginRelease(0));
    }

    /** Gives the lock back at once, also if it was to stay taken for longer. */
    public ReleaseOutcome releaseAtOnce() {
        return await(beginRelease(Gate.KEEP_NO_LONGER));
    }

    @Override
    public ReleaseOutcome releaseAfter(Duration delay) {
        if (!gate.engine.capabilities().leasePerClaim()) {
            throw new UnsupportedOperationException(
                    Failure.noLease(name(), false).text());
        }
        return await(beginRelease(nanos(
                "delay", Objects.requireNonNull(delay, "delay").isNegative() ? Duration.ZERO : delay, Duration.ZERO)));
    }

    /** Returns the duration in nanoseconds if it is not shorter than that, nor longer than a year, and throws otherwise. */
    public static long nanos(String what, Duration duration, Duration shortest) {
        Objects.requireNonNull(duration, what);
        if (duration.compareTo(shortest) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " is " + duration + ", but must be from " + shortest + " to " + LONGEST);
        }
        return duration.toNanos();
    }

    @Override
    public Duration extend(Duration duration) {
        long nanos = nanos("duration", duration, Duration.ofMillis(claim().isFixed ? 10 : 1));
        Engine engine = gate.engine;
        // An earlier end counts from now on.
        var answered = gate.ask(this, (machine, ticket) -> machine.extend(ticket, nanos)).answer;
        if (!engine.await(answered, engine.requestTimeout())) {
            throw new StoreUnavailableException(
                    "Extending the lease of '" + name() + "' failed: the store did not answer in time"
                            + gate.ask(machine -> machine.lastFailure(claim())),
                    null);
        }
        answered.join().ifPresent(refusal -> {
            throw Messages.refusal(name(), refusal);
        });
        ensureHeld();
        return remaining();
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        CompletableFuture<ReleaseOutcome> begun = beginRelease(0);
        // What is known already takes no other thread, which would cost many times as much as all the rest.
        return begun.isDone() ? begun.copy() : begun.thenApplyAsync(told -> told, gate.engine.callbacks::run);
    }

    /** Does {@link #release()}, but waits so many nanoseconds at most; UNKNOWN if there is no answer by then. */
    public ReleaseOutcome releasePromptly(long atMost) {
        CompletableFuture<ReleaseOutcome> begun = beginRelease(0);
        return gate.engine.await(begun, atMost) ? begun.join() : ReleaseOutcome.UNKNOWN;
    }

    /** Begins to give back, without waiting for the store; nothing to one that was never had. */
    public void discard() {
        if (failure() == null) {
            gate.release(this, 0);
        }
    }

    @Override
    public void close() {
        boolean again = isOutcomeKnown;
        ReleaseOutcome result = release();
        LeaseLostException lost = loss;
        // A fixed lease that has ended at its time is as it is meant to be.
        boolean isOver = lost != null && lost.reason().orElseThrow() == LossReason.ENDED;
        if (!again && !isOver) {
            tell(result);
        }
    }

    /** Tells the log what became of giving it back, unless it is free. */
    public void tell(ReleaseOutcome result) {
        String what = result == ReleaseOutcome.UNKNOWN
                ? "given back, but nobody knows whether it was held until then: the store did not answer in time, or was replaced"
                : "lost before it was closed";
        if (result != ReleaseOutcome.RELEASED) {
            String text = "The lease of '" + name() + "' (token " + token() + ") was " + what;
            gate.engine.events.warn(what, name(), text);
        }
    }

    @Override
    public String toString() {
        return "Lease of '" + name() + "', token " + token();
    }
}
