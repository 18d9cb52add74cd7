package io.belay.internal;

import io.belay.Release;
import io.belay.internal.Belief.Phase;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One claim on its way through the store: holds the {@link Belief}, sends what the belief asks for, sends it again when
 * no answer comes, and tells its {@link Owner} when the belief changes. All state is guarded by the owner's lock; the
 * belief may be read by anybody.
 */
final class LiveClaim extends Timers.Timer {
    /** Whose claim it is; called under the lock unless said otherwise. */
    interface Owner {
        /** The claim's belief changed. */
        void changed(LiveClaim claim, Belief before, long now);

        /** The client closes; called without the lock. */
        void close();

        /** How many waiters stand behind the claim, to be shown by {@code inspect}. */
        int localWaiters();
    }

    /**
     * What the claim asks for; leases in microseconds.
     *
     * @param capacity the capacity of the resource
     * @param weight how much of it
     * @param lease the lease that is renewed
     * @param hold the fixed lease, or 0
     * @param ifFree whether to enter only if granted at once
     */
    record Terms(int capacity, int weight, long lease, long hold, boolean ifFree) {}

    private static final long FIRST_BACK_OFF = 20_000_000;
    private static final long LONGEST_BACK_OFF = 500_000_000;

    private final Engine engine;
    private final String resource;
    private final Terms terms;
    private final Owner owner;
    private final ReentrantLock lock;
    private final Outbox outbox;
    private final String thread = Thread.currentThread().getName();

    private volatile Belief belief;
    /** Wall clock minus nanoTime, in milliseconds, when the last answered request was sent. */
    private volatile long clockOffset;

    private boolean inFlight;
    private long resendAt;
    private int failures;
    private boolean wantsFresh;
    private int leavesSent;
    private @Nullable Consumer<Release> released;
    private boolean ended;

    LiveClaim(Engine engine, String resource, Terms terms, Owner owner, ReentrantLock lock, Outbox outbox) {
        this.engine = engine;
        this.resource = resource;
        this.terms = terms;
        this.owner = owner;
        this.lock = lock;
        this.outbox = outbox;
        belief = Belief.entering(
                engine.nextClaimId(), terms.hold() > 0, engine.time().nanos());
        engine.register(this);
    }

    Belief belief() {
        return belief;
    }

    ClaimId id() {
        return belief.id();
    }

    Terms terms() {
        return terms;
    }

    /** Whether requests fail or stay unanswered at present, so that nothing new is known of the resource. */
    boolean isOutOfTouch() {
        return belief.phase() == Phase.ENTERING || failures > 0;
    }

    /**
     * Whether the wall clock ran ahead of nanoTime by more than the drift margin since the last answered request: the
     * machine may have been suspended, and the lease may have ended without nanoTime showing it.
     */
    boolean isUnsure() {
        Belief.Anchor anchor = belief.anchor();
        if (anchor == null) {
            return false;
        }
        long span = belief.until() - anchor.sent();
        return engine.time().wallAheadMillis() - clockOffset > span / 100_000_000 + 2;
    }

    // All methods below are called under the lock; what they send goes out with the next flush of the outbox.

    void enter() {
        transmit(engine.time().nanos());
    }

    /** Asks the store now, unless a request is on its way already. */
    void ask() {
        if (!inFlight) {
            transmit(engine.time().nanos());
        }
    }

    /** Asks for a fresh sequence, which is given if nobody waits. */
    void refresh() {
        wantsFresh = true;
        ask();
    }

    void yield() {
        long now = engine.time().nanos();
        belief = belief.yielding(now);
        transmit(now);
    }

    /** Ends the claim; the outcome is told once, outside the lock. */
    void leave(@Nullable Consumer<Release> outcome) {
        long now = engine.time().nanos();
        released = outcome;
        belief = belief.leaving(now);
        transmit(now);
    }

    /** Notices at once, not only when the keeper does, that the lease has ended. */
    void expire(long now) {
        become(belief.at(now), now);
    }

    /** A push arrived; called without the lock. */
    void pushed(Push push) {
        unlocked(now -> become(belief.pushed(push, now), now));
    }

    /** The connection was lost and is there again; called without the lock. */
    void check() {
        unlocked(now -> {
            failures = 0;
            if (belief.phase() == Phase.WAITING || belief.phase() == Phase.HELD) {
                inFlight = false;
                belief = belief.asking(now);
            } else {
                again(now);
            }
        });
    }

    Owner owner() {
        return owner;
    }

    /** The client is closed and the store gave no answer; called without the lock. */
    void abandon() {
        unlocked(now -> end());
    }

    private void unlocked(LongConsumer step) {
        lock.lock();
        try {
            if (!ended) {
                step.accept(engine.time().nanos());
                reschedule();
            }
        } finally {
            lock.unlock();
        }
        outbox.flush();
    }

    private void become(Belief next, long now) {
        Belief before = belief;
        if (next == before) {
            return;
        }
        belief = next;
        boolean ends = next.phase().isFinal() && !before.phase().isFinal();
        if (ends) {
            if (next.phase() == Phase.LOST || next.isUnclear()) {
                transmit(now);
            } else {
                end();
            }
        }
        owner.changed(this, before, now);
    }

    private void end() {
        ended = true;
        engine.unregister(this);
        engine.timers().cancel(this);
        tell(Release.UNKNOWN);
    }

    private void tell(Release outcome) {
        Consumer<Release> listener = released;
        released = null;
        if (listener != null) {
            outbox.add(() -> listener.accept(outcome));
        }
    }

    /** Sends what the present phase calls for. */
    private void transmit(long now) {
        inFlight = true;
        resendAt = now + engine.requestTimeoutNanos();
        Request request = request();
        boolean leave = request instanceof Request.Leave;
        outbox.add(() -> {
            long sent = engine.time().nanos();
            long offset = engine.time().wallAheadMillis();
            engine.send(request).whenComplete((answer, error) -> answered(answer, error, sent, offset, leave));
        });
        reschedule();
    }

    private Request request() {
        Belief b = belief;
        return switch (b.phase()) {
            case ENTERING ->
                new Request.Enter(
                        resource,
                        b.id(),
                        terms.capacity(),
                        terms.weight(),
                        terms.lease(),
                        terms.hold(),
                        terms.ifFree(),
                        owner.localWaiters(),
                        engine.owner(thread));
            case WAITING, HELD -> renewal();
            case YIELDING -> new Request.Yield(resource, b.id(), b.sequence(), terms.lease(), owner.localWaiters());
            default -> {
                leavesSent++;
                yield new Request.Leave(resource, b.id(), b.isUnclear());
            }
        };
    }

    private Request.Renew renewal() {
        return new Request.Renew(
                resource, belief.id(), belief.sequence(), terms.lease(), owner.localWaiters(), wantsFresh);
    }

    /** An answer to a renewal that went out in a batch. */
    void renewed(@Nullable Answer answer, @Nullable Throwable error, long sent, long offset) {
        answered(answer, error, sent, offset, false);
    }

    /** An answer, or a failure, of a request that was sent at that instant; called without the lock. */
    private void answered(@Nullable Answer answer, @Nullable Throwable error, long sent, long offset, boolean leave) {
        lock.lock();
        try {
            long now = engine.time().nanos();
            if (ended) {
                return;
            }
            if (belief.phase().isFinal() && !leave) {
                return; // too late to matter; the leave is on its way
            }
            if (answer == null) {
                failed(now);
                engine.noteFailure(error);
            } else {
                engine.noteAnswer();
                failures = 0;
                inFlight = false;
                if (leave) {
                    left(answer, now);
                } else {
                    believe(answer, sent, offset, now);
                    if (belief.phase() == Phase.YIELDING) {
                        inFlight = true; // this was not the yield's answer
                    }
                }
            }
            reschedule();
        } finally {
            lock.unlock();
        }
        outbox.flush();
    }

    private void believe(Answer answer, long sent, long offset, long now) {
        clockOffset = offset;
        wantsFresh = false;
        become(belief.at(now), now);
        boolean waited = belief.phase() == Phase.WAITING;
        become(belief.answered(answer, sent, now), now);
        if (waited && belief.phase() != Phase.WAITING) {
            engine.missedAPush();
        }
    }

    private void left(Answer answer, long now) {
        boolean inTime = now - belief.until() < 0;
        boolean found = answer.state() == Answer.State.LEFT;
        tell(
                found || (leavesSent > 1 && inTime)
                        ? Release.RELEASED
                        : leavesSent == 1 ? Release.ALREADY_LOST : Release.UNKNOWN);
        end();
    }

    private void failed(long now) {
        long backOff = Math.min(LONGEST_BACK_OFF, FIRST_BACK_OFF << Math.min(failures, 10));
        failures++;
        inFlight = true;
        resendAt = now + backOff;
    }

    private void reschedule() {
        if (ended) {
            return;
        }
        Belief b = belief;
        long at = inFlight ? resendAt : b.askAt();
        if (!inFlight && b.phase() == Phase.WAITING && b.anchor() != null) {
            at = engine.pollNoLaterThan(at, b.anchor().sent());
        }
        if (b.phase() == Phase.HELD && (at == Long.MAX_VALUE || at - b.until() > 0)) {
            at = b.until();
        }
        engine.timers().schedule(this, at);
    }

    /** The keeper's thread. */
    @Override
    void fire(long fired) {
        unlocked(now -> {
            become(belief.at(now), now);
            if (ended) {
                return;
            }
            if (inFlight && now - resendAt >= 0) {
                again(now);
            } else if (!inFlight && belief.askAt() != Long.MAX_VALUE) {
                inFlight = true;
                resendAt = now + engine.requestTimeoutNanos();
                engine.renewals().add(this, renewal());
            }
        });
    }

    /** No answer came, or a failure did. */
    private void again(long now) {
        if (belief.phase().isFinal()) {
            long sinceLeft = now - belief.since();
            if (sinceLeft > Math.max(terms.lease(), terms.hold()) * 1000) {
                end(); // by now the store has let it expire
                return;
            }
            if (released != null && sinceLeft >= 2 * engine.requestTimeoutNanos()) {
                tell(Release.UNKNOWN); // it was sent twice; the engine goes on, but nobody is kept waiting
            }
        } else if (belief.phase() == Phase.ENTERING) {
            belief = belief.enteringAgain();
        }
        failures = Math.max(failures, 1);
        transmit(now);
    }
}
