package io.belay.internal.gate;

import io.belay.LockStatistics.WaitEnd;
import io.belay.Release;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.InFlight;
import io.belay.internal.claim.LiveClaim;
import io.belay.internal.jfr.Recorder;
import io.belay.internal.time.Threads;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A thread that waits, platform or virtual. */
public final class BlockingWaiter extends Waiter {
    private final Thread thread = Thread.currentThread();

    private volatile boolean invited;
    private boolean awake;

    public BlockingWaiter(Gate gate, Request request) {
        super(gate, request);
    }

    @Override
    boolean isAwake() {
        return awake;
    }

    @Override
    boolean notesItsWait() {
        return true;
    }

    @Override
    public boolean invite() {
        boolean first = !invited;
        invited = true;
        return first;
    }

    @Override
    void awake() {
        awake = true;
    }

    /** Returns whether the store may tell more in a moment: it has yet to say whether the claim waits behind others. */
    private boolean isDue() {
        LiveClaim claim = entered;
        return outcome() == null && !invited && claim != null && claim.belief().phase() != Belief.Phase.WAITING;
    }

    private void spin() {
        if (outcome() == null) {
            gate.engine().spin().await(this::isDue);
        }
    }

    private void park() {
        Engine engine = gate.engine();
        long now = engine.time().nanos();
        if (queuedAt == 0) {
            queuedAt = now;
        }
        engine.timers().help(now);
        if (outcome() != null) {
            return; // of this thread's own help, which needs no waking
        }
        engine.threads().park(this);
        if (outcome() == null) {
            gate.arrive(this);
        }
    }

    @Override
    boolean mayBeParked() {
        return thread != Thread.currentThread();
    }

    /** Wakes the thread, unless it found its outcome itself; an invitation wakes even a thread that invites itself. */
    @Override
    public void wake() {
        if (thread != Thread.currentThread() || outcome() == null) {
            gate.engine().threads().unpark(thread);
        }
    }

    /** Waits for the outcome. A thread that is interrupted gives the wait up, unless the outcome was there first. */
    public Outcome await() throws InterruptedException {
        Recorder.Begun recording = beginRecording();
        spin();
        Outcome result = outcome();
        while (result == null && !Thread.interrupted()) {
            park();
            result = outcome();
        }
        record(recording, result);
        return result == null ? interrupted() : result;
    }

    private Recorder.@Nullable Begun beginRecording() {
        return outcome() == null ? Recorder.beginWait() : null;
    }

    private void record(Recorder.@Nullable Begun recording, @Nullable Outcome result) {
        if (recording != null) {
            long token = result instanceof Hold hold ? hold.token() : 0;
            WaitEnd end = result == null ? WaitEnd.CANCELLED : result.end();
            recording.end(gate.name(), Threads.name(thread), token, end.name().toLowerCase(Locale.ROOT));
        }
    }

    /** Gives up, and waits a moment for the claim to leave the store; or takes the outcome, if there was one first. */
    Outcome interrupted() throws InterruptedException {
        CompletableFuture<Release> left = gate.giveUp(this);
        if (left != null) {
            gate.engine().await(left, InFlight.SLOW);
            throw new InterruptedException();
        }
        Thread.currentThread().interrupt();
        return Objects.requireNonNull(outcome());
    }

    /** Waits for the outcome and keeps an interrupt for later. */
    public Outcome awaitUninterruptibly() {
        Recorder.Begun recording = beginRecording();
        spin();
        boolean interrupted = false;
        @Nullable Outcome result = outcome();
        while (result == null) {
            park();
            interrupted |= Thread.interrupted();
            result = outcome();
        }
        record(recording, result);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result;
    }
}
