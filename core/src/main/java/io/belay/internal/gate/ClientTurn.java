package io.belay.internal.gate;

import io.belay.LossReason;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.Belief.Phase;
import io.belay.internal.claim.ClaimOwner;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.LiveClaim;
import io.belay.internal.time.StepLock;
import io.belay.internal.time.Threads;
import io.belay.spi.Claim;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client's turn with a lock, and the wait for it: the claim that its gate has on the store, the time slice that a
 * grant opens, and the fencing tokens of the hands that the lock goes through meanwhile. A token is
 * {@code sequence * 1024 + k}, where k counts the hand-offs within one sequence, or within the many that a sticky claim
 * is given at a time. Guarded by the gate's lock.
 */
public final class ClientTurn {
    private final Engine engine;
    private final GateKey key;
    private final long fixedLease;
    private final StepLock steps;
    private final boolean sticky;
    private final int tokens;
    private @Nullable LiveClaim claim;
    /** Null until the first. */
    private volatile @Nullable LateGrants late;

    private long start;
    private long slice;
    private boolean used;
    private long usedUntil;
    private long sequence;
    private int handOffs;

    /** Makes a turn that has not begun; {@code fixedLease} is in microseconds, or 0. */
    ClientTurn(Engine engine, GateKey key, long fixedLease, StepLock steps) {
        this.engine = engine;
        this.key = key;
        this.fixedLease = fixedLease;
        this.steps = steps;
        sticky = key.idle() > 0;
        tokens = sticky ? Claim.TOKENS * Claim.STICKY_SEQUENCES : Claim.TOKENS;
    }

    /** Begins to wait for a turn, on behalf of a waiter; not yet, if grants came too late just now. */
    void enter(@Nullable Waiter first, ClaimOwner owner) {
        if (first == null || (late != null && late.pauses())) {
            return;
        }
        Waiter.Request asks = first.request;
        ClaimSpec spec = new ClaimSpec(key.capacity(), key.weight(), key.lease(), fixedLease, asks.ifFree(), sticky);
        String thread = Threads.name(asks.thread());
        Owner shown = engine.owner(thread).withThread(thread, asks.behalf());
        LiveClaim entered = new LiveClaim(engine, key.name(), shown, spec, owner, steps);
        claim = entered;
        handOffs = 0;
        first.entered = entered;
        if (asks.atLeast() > 0) {
            entered.enterFor(asks.atLeast() / 1000);
        }
        entered.enter();
    }

    /** Returns the claim that stands in the queue or is granted; null while there is none. */
    @Nullable
    LiveClaim claim() {
        return claim;
    }

    /** Ends the turn: its claim is the gate's no longer. */
    void end() {
        claim = null;
    }

    /** Ends the turn, as the claim is lost or gone; {@code inVain} says whether anybody waits who has not had the lock by it. */
    void lost(Belief last, boolean inVain, long now) {
        claim = null;
        Belief.Anchor asked = last.anchor();
        boolean over = last.loss() == LossReason.ENDED || last.loss() == LossReason.EXPIRED;
        if (last.phase() == Phase.LOST && over && inVain && asked != null) {
            late().came(now - asked.sent(), Math.max(fixedLease, last.isFixed() ? 0 : key.lease()) * 1000, now);
        }
    }

    /** Returns the grants in a row that came too late. */
    LateGrants late() {
        LateGrants all = late;
        if (all == null) {
            all = new LateGrants(engine, key.name(), steps);
            late = all;
        }
        return all;
    }

    /** Returns whether the last grant came too late, after which there is no claim for a while; may be asked by any thread. */
    boolean isLate() {
        LateGrants all = late;
        return all != null && all.any();
    }

    private void inTime() {
        LateGrants all = late;
        if (all != null) {
            all.end();
        }
    }

    /** Returns whether the store has still to say who has the lock. */
    boolean isEntering() {
        LiveClaim entered = claim;
        return entered != null && entered.belief().phase() == Phase.ENTERING;
    }

    boolean isGranted() {
        LiveClaim entered = claim;
        return entered != null && entered.belief().phase() == Phase.HELD;
    }

    /** Returns the claim; called while it is granted. */
    LiveClaim granted() {
        return Objects.requireNonNull(claim);
    }

    /** Returns whether somebody elsewhere is known to want the lock. */
    boolean isWanted() {
        LiveClaim entered = claim;
        return entered != null && entered.belief().wanted();
    }

    /** Returns the first token of a sequence. */
    public static long firstToken(long sequence) {
        return Math.multiplyExact(sequence, Claim.TOKENS);
    }

    /** Notes that the lock was granted under that sequence, in this turn or as the beginning of a new one. */
    void granted(long grantedSequence, boolean begins, long now) {
        if (begins) {
            start = now;
            slice = key.slice() == GateKey.STORES_SLICE ? engine.slice() : key.slice();
            used = false;
        }
        if (begins || grantedSequence != sequence) {
            sequence = grantedSequence;
            handOffs = 0;
        }
    }

    /** Notes that somebody had the lock in this turn, until now. */
    void used(long now) {
        used = true;
        usedUntil = now;
    }

    /** Returns whether the turn was over when the lock was given back last. */
    boolean isSpent() {
        return isUsedUp() || (used && isOver(usedUntil));
    }

    /** Returns whether the granted claim can be handed out at once; if not, asks the store, so that it soon can. */
    boolean isReady(LiveClaim granted, long now) {
        Belief belief = granted.belief();
        boolean pickedUp = !belief.isFixed() || belief.confirmed();
        if (!pickedUp || belief.until() - now < shortestHold() || granted.isUnsure(now)) {
            granted.ask(now);
            return false;
        }
        return true;
    }

    /** Returns whether nothing can be handed on before there is a fresh sequence. */
    boolean isUsedUp() {
        return handOffs == tokens;
    }

    /** Returns the token of all who share the claim: they do not exclude each other. */
    long sharedToken() {
        inTime();
        return firstToken(sequence) + handOffs;
    }

    /** Returns what must be left of a grant, in nanoseconds; with less it is renewed before it is handed on. */
    private long shortestHold() {
        long lease = fixedLease == 0 ? key.lease() : Math.min(fixedLease, key.lease());
        return Math.min(lease, Resource.PICK_UP) * 1000 / 20;
    }

    /** Returns whether a token of the present sequence was given out: the next one is for a hand-over inside the client. */
    boolean isBegun() {
        return handOffs > 0;
    }

    /** Counts the next hand-off and returns its token. */
    long nextToken() {
        inTime();
        return firstToken(sequence) + handOffs++;
    }

    /** Returns whether to ask for a fresh sequence, without stopping: once, when half of the tokens are used up. */
    boolean needsFreshSequence() {
        return handOffs == tokens / 2;
    }

    /** Returns for how long a turn lasts, in nanoseconds. */
    long slice() {
        return slice;
    }

    /** Returns whether other clients come next. For a sticky claim the slice's end counts only if there are any. */
    boolean isOver(long now) {
        return isUsedUp() || (now - start >= slice && (!sticky || isWanted()));
    }
}
