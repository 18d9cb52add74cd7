package io.belay.internal.gate;

import io.belay.Release;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.InFlight;
import io.belay.internal.claim.LiveClaim;
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
        engine.timers().help(engine.time().nanos());
        if (outcome() != null) {
            return; // of this thread's own help, which needs no waking
        }
        engine.threads().park(this);
        if (outcome() == null) {
            gate.arrive(this);
        }
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
        spin();
        Outcome result = outcome();
        while (result == null) {
            if (Thread.interrupted()) {
                return interrupted();
            }
            park();
            result = outcome();
        }
        return result;
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
        spin();
        boolean interrupted = false;
        @Nullable Outcome result = outcome();
        while (result == null) {
            park();
            interrupted |= Thread.interrupted();
            result = outcome();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result;
    }
}
