package io.belay.spring.integration;

import io.belay.Lease;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;

/**
 * A term of a leader: the context that a {@link BelayLeaderInitiator} gives to its candidate, and to the listeners of its
 * events. Thread-safe.
 */
public final class LeaderTerm implements Context {
    private final BelayLeaderInitiator initiator;
    private final Candidate candidate;
    private final Lease lease;
    private volatile boolean over;

    LeaderTerm(BelayLeaderInitiator initiator, Candidate candidate, Lease lease) {
        this.initiator = initiator;
        this.candidate = candidate;
        this.lease = lease;
    }

    /**
     * Returns the fencing token of this term: greater than that of every earlier one. Give it to a guard at whatever the
     * leader controls.
     */
    public long token() {
        return lease.token();
    }

    /** Returns whether the candidate leads at this moment, by the clock: no store call, and no wait for an event. */
    @Override
    public boolean isLeader() {
        return !over && lease.isHeld();
    }

    /**
     * Ends the term, and campaigns again behind all who wait. Does not block, but interrupts an {@code onGranted} that calls it; does
     * nothing when the term is over.
     */
    @Override
    public void yield() {
        initiator.end(this);
    }

    @Override
    public String getRole() {
        return candidate.getRole();
    }

    Lease lease() {
        return lease;
    }

    /** Makes {@link #isLeader} say no, whatever becomes of the lease. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    @Override
    public String toString() {
        return "LeaderTerm " + token() + " of '" + candidate.getId() + "' for '" + getRole() + "'"
                + (isLeader() ? "" : ", over");
    }
}
