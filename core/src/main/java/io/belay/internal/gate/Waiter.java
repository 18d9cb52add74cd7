package io.belay.internal.gate;

import io.belay.Lease;
import io.belay.LockStatistics.WaitEnd;
import io.belay.internal.claim.Engine;
import io.belay.internal.jfr.Recorder;
import io.belay.internal.machine.Asks;
import io.belay.internal.machine.Caller;
import io.belay.internal.machine.Failure;
import io.belay.internal.time.Threads;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What waits at a {@link Gate}: a thread, platform or virtual, or a future. */
public abstract class Waiter extends Caller {
    final Gate gate;
    private final Thread thread;
    private final @Nullable Completion<?> completion;

    /** Why the store does not answer, as the end of a sentence, when that was told last; empty if it does. */
    String silence = "";
    /** How often it was told that the wait is slow, and since it is over, that the hold is long. */
    byte told;

    /**
     * A future of what an acquisition comes to, completed on the callback executor, where its dependents run.
     *
     * @param future the future
     * @param result makes what it yields of the lease
     * @param <T> what it yields
     */
    private record Completion<T>(CompletableFuture<T> future, Function<Optional<Lease>, T> result) {
        /** Returns false if somebody else completed it first, by cancelling it for instance. */
        boolean complete(Waiter waiter) {
            if (future.isDone()) {
                return false;
            }
            RuntimeException failure = waiter.exception();
            return failure != null
                    ? future.completeExceptionally(failure)
                    : future.complete(result.apply(waiter.lease()));
        }
    }

    /** Makes one for the present thread. */
    Waiter(Gate gate, Asks asks) {
        super(asks);
        this.gate = gate;
        thread = Thread.currentThread();
        completion = null;
    }

    /** Makes one for a future, asked for by the present thread. */
    <T> Waiter(Gate gate, Asks asks, CompletableFuture<T> future, Function<Optional<Lease>, T> result) {
        super(asks);
        this.gate = gate;
        thread = Thread.currentThread();
        completion = new Completion<>(future, result);
    }

    Waiter(Waiter former, long now) {
        super(former, now);
        gate = former.gate;
        thread = former.thread;
        completion = null;
    }

    /** Returns the thread that asked. */
    final Thread thread() {
        return thread;
    }

    @Override
    public final String threadName() {
        return Threads.name(thread);
    }

    @Override
    protected final boolean isThread() {
        return completion == null;
    }

    /** Returns the lease; empty if the wait ended without one. */
    abstract Optional<Lease> lease();

    /** Gives back what nobody takes, without waiting for the store. */
    abstract void discard();

    private @Nullable RuntimeException exception() {
        Failure failure = failure();
        return failure == null ? null : failure.exception();
    }

    /** Returns whether to wake whoever waits; false for a thread that is taking this very step and looks after it. */
    final boolean mayBeParked() {
        return completion != null || thread != Thread.currentThread();
    }

    /**
     * Wakes whoever waits, for an outcome or an invitation: a thread unless it found its outcome itself; an invitation wakes even
     * a thread that invites itself.
     */
    final void wake() {
        assert !gate.isInStep();
        if (completion != null) {
            gate.engine().callbacks().run(this::complete);
        } else if (thread != Thread.currentThread() || isPending()) {
            gate.engine().threads().unpark(thread);
        }
    }

    private void complete() {
        if (completion != null && !completion.complete(this)) {
            discard();
        }
    }

    // The waiting of a thread.

    private void spin() {
        if (isPending()) {
            gate.engine().spin().await(this::isAnswerDue);
        }
    }

    private void park() {
        Engine engine = gate.engine();
        long now = engine.time().nanos();
        waitsFrom(now);
        engine.timers().help(now);
        if (!isPending()) {
            return; // by this thread's own help, which needs no waking
        }
        engine.threads().park(this);
        if (isPending()) {
            gate.step(machine -> machine.awoke(this));
        }
    }

    /** Waits for the outcome. A thread that is interrupted gives the wait up, unless the outcome was there first. */
    public final Optional<Lease> await() throws InterruptedException {
        Recorder.Begun recording = beginRecording();
        spin();
        while (isPending() && !Thread.interrupted()) {
            park();
        }
        if (isPending()) {
            interrupted();
        }
        record(recording);
        return taken();
    }

    /** Gives up, and waits a moment for the claim to leave the store; or takes the outcome, if there was one first. */
    void interrupted() throws InterruptedException {
        boolean gaveUp = gate.giveUp(this);
        while (isPending()) {
            park();
            var unused = Thread.interrupted();
        }
        if (gaveUp) {
            throw new InterruptedException();
        }
        Thread.currentThread().interrupt();
    }

    /** Waits for the outcome and keeps an interrupt for later. */
    public final Optional<Lease> awaitUninterruptibly() {
        Recorder.Begun recording = beginRecording();
        spin();
        boolean interrupted = false;
        while (isPending()) {
            park();
            interrupted |= Thread.interrupted();
        }
        record(recording);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return taken();
    }

    private Optional<Lease> taken() {
        RuntimeException failure = exception();
        if (failure != null) {
            throw failure;
        }
        return lease();
    }

    private Recorder.@Nullable Begun beginRecording() {
        return isPending() ? Recorder.beginWait() : null;
    }

    private void record(Recorder.@Nullable Begun recording) {
        if (recording != null) {
            Failure failure = failure();
            WaitEnd end = failure == null ? WaitEnd.ACQUIRED : failure.end();
            recording.end(
                    gate.name(),
                    threadName(),
                    failure == null ? token() : 0,
                    end.name().toLowerCase(Locale.ROOT));
        }
    }
}
