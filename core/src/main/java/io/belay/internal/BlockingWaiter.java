package io.belay.internal;

import org.jspecify.annotations.Nullable;

/** A thread that waits, platform or virtual. */
final class BlockingWaiter extends Waiter {
    private final Thread thread = Thread.currentThread();

    private volatile boolean invited;
    private boolean awake;

    BlockingWaiter(Gate gate, Request request) {
        super(gate, request);
    }

    @Override
    boolean isAwake() {
        return awake;
    }

    @Override
    boolean invite() {
        boolean first = !invited;
        invited = true;
        return first;
    }

    @Override
    void awake() {
        awake = true;
    }

    /** Whether it may know more in a moment: the store has still to say whether it waits behind others. */
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
        gate.engine().threads().park(this);
        if (outcome() == null) {
            gate.arrive(this);
        }
    }

    @Override
    void wake() {
        if (thread != Thread.currentThread()) {
            gate.engine().threads().unpark(thread);
        }
    }

    /**
     * Waits for the outcome. If the thread is interrupted the wait is given up, unless the outcome was there first.
     */
    Object await() throws InterruptedException {
        spin();
        Object result = outcome();
        while (result == null) {
            if (Thread.interrupted()) {
                result = gate.giveUp(this);
                if (result == null) {
                    throw new InterruptedException();
                }
                Thread.currentThread().interrupt();
                return result;
            }
            park();
            result = outcome();
        }
        return result;
    }

    /** Waits for the outcome and keeps an interrupt for later. */
    Object awaitUninterruptibly() {
        spin();
        boolean interrupted = false;
        @Nullable Object result = outcome();
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
