package io.belay.internal.gate;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.belay.Release;
import io.belay.StoreUnavailableException;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.LiveClaim;
import io.belay.internal.claim.Present;
import io.belay.internal.jfr.Recorder;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Timers;
import io.belay.spi.Confirmation;
import io.belay.spi.Log;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A hold of a lock: the user's lease. It belongs to one claim, one sequence and one place in the hand-offs within
 * that, so that releasing a lost hold cannot touch what its gate holds by now. Its timer fires at the end of
 * {@code maxHold}.
 */
public final class Hold extends Timers.Timer implements Lease, Outcome {
    private static final Log LOG = Log.of(Lease.class);

    private final Gate gate;
    private final LiveClaim claim;
    private final long token;
    private final Thread thread;
    private final String behalf;
    final long acquired;
    /**
     * The instant at which {@code maxHold} is over, or {@link Long#MAX_VALUE}; written under the gate's lock. Not volatile: that
     * would cost each hand-off a fence, and whoever reads it without the lock has read what is volatile just before.
     */
    long limit;
    /** For how long after the acquisition the lock stays taken at least, in nanoseconds. Guarded by the gate's lock. */
    private long atLeast;

    private final Recorder.@Nullable Begun recording = Recorder.beginHold();

    // Guarded by the gate's lock; written once each.
    /** What became of giving it back; null before that was begun. */
    private volatile @Nullable CompletableFuture<Release> outcome;

    private volatile @Nullable LeaseLostException loss;
    private @Nullable List<Consumer<? super LeaseLostException>> listeners;
    /** The number of moves of its end that were asked for. Guarded by the gate's lock. */
    int moves;
    /** True once it was told that the hold is long. Guarded by the gate's lock. */
    boolean told;

    Hold(Gate gate, LiveClaim claim, long token, Waiter.Request request, long now) {
        this.gate = gate;
        this.claim = claim;
        this.token = token;
        this.thread = request.thread();
        this.behalf = request.behalf();
        this.acquired = now;
        this.limit = request.maxHold() == Long.MAX_VALUE ? Long.MAX_VALUE : now + request.maxHold();
        this.atLeast = request.atLeast();
    }

    private Hold(Hold before, long now) {
        gate = before.gate;
        claim = before.claim;
        token = before.token;
        thread = before.thread;
        behalf = before.behalf;
        acquired = now;
        limit = before.limit;
        atLeast = before.atLeast == 0 ? 0 : Math.max(0, before.keptUntil() - now);
    }

    /** Keeps the lock taken until that instant, or longer if that was asked for before. */
    void keepUntil(long instant) {
        atLeast = Math.max(atLeast, instant - acquired);
    }

    void keepNoLonger() {
        atLeast = 0;
    }

    /** Returns until when the lock stays taken at least, also when this hold is over. */
    long keptUntil() {
        return acquired + atLeast;
    }

    boolean isKept(long now) {
        return atLeast > 0 && now - keptUntil() < 0;
    }

    /** Returns the same hold with another weight, under a handle of its own. */
    Hold successor(long now) {
        return new Hold(this, now);
    }

    public Gate gate() {
        return gate;
    }

    public LiveClaim claim() {
        return claim;
    }

    Thread thread() {
        return thread;
    }

    Present present() {
        return new Present(Threads.name(thread), behalf, acquired);
    }

    /** Returns why the lease is lost, once that is final; null before. */
    public @Nullable LeaseLostException loss() {
        return loss;
    }

    @Override
    public String name() {
        return gate.name();
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public OptionalInt replicas() {
        Confirmation known = claim.confirmation();
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
        long now = gate.engine().time().nanos();
        gate.engine().timers().help(now);
        long left = believedNanos(now);
        if (left > 0 && claim.isUnsure(now)) {
            var unused = gate.ask(this);
            return 0;
        }
        return left;
    }

    /** Returns what is left of the lease by the monotonic clock alone, in nanoseconds. */
    private long believedNanos(long now) {
        if (isGivenBack() || loss != null) {
            return 0;
        }
        long left = claim.belief().until() - now;
        if (limit != Long.MAX_VALUE) {
            left = Math.min(left, limit - now);
        }
        if (left <= 0) {
            gate.notice(this); // makes it final before anybody is told
            return 0;
        }
        return left;
    }

    /** Returns whether the lease is known to be lost: not so while the clocks leave that open. */
    public boolean isLost() {
        return !isGivenBack() && believedNanos(gate.engine().time().nanos()) <= 0;
    }

    /**
     * Returns whether the lease is held. Where the clocks leave that open, asks the store and waits for its answer,
     * for the request timeout at most.
     */
    public boolean isHeldForSure() {
        Engine engine = gate.engine();
        long end = engine.time().nanos() + engine.requestTimeoutNanos();
        while (true) {
            long now = engine.time().nanos();
            if (believedNanos(now) <= 0) {
                return false;
            }
            if (!claim.isUnsure(now)) {
                return true;
            }
            if (now - end >= 0 || !engine.await(gate.ask(this), end - now)) {
                return false;
            }
        }
    }

    @Override
    public void ensureHeld() {
        if (!isHeldForSure()) {
            LeaseLostException lost = loss;
            if (lost != null) {
                throw notHeld(String.valueOf(lost.getMessage()));
            }
            throw notHeld(
                    isGivenBack()
                            ? "The lease of '" + name() + "' was released before"
                            : "The lease of '" + name()
                                    + "' is unsure: the machine seems to have been suspended, and the store does not"
                                    + " answer; ask again shortly");
        }
    }

    /** Returns the exception for a caller who relied on a lease that is not, or not surely, held. */
    public LeaseLostException notHeld(String message) {
        return notHeld(reason -> message);
    }

    /** Returns the same exception, with what there is to say of its reason, which may change at any moment. */
    public LeaseLostException notHeld(Function<LossReason, String> message) {
        LeaseLostException lost = loss;
        LossReason reason = lost != null ? lost.reason() : isGivenBack() ? LossReason.RELEASED : LossReason.UNSURE;
        String text = message.apply(reason);
        if (lost != null) {
            return new LeaseLostException(
                    text, name(), token, reason, lost.held(), lost.forcedBy().orElse(null), lost);
        }
        Duration held = Duration.ofNanos(gate.engine().time().nanos() - acquired);
        return new LeaseLostException(text, name(), token, reason, held, null, null);
    }

    @Override
    public Lease onLost(Consumer<? super LeaseLostException> listener) {
        Objects.requireNonNull(listener, "listener");
        gate.listen(this, listener);
        return this;
    }

    /** Adds a listener; called under the gate's lock, while the lease is not lost. */
    void add(Consumer<? super LeaseLostException> listener) {
        if (!isGivenBack()) {
            if (listeners == null) {
                listeners = new ArrayList<>(1);
            }
            listeners.add(listener);
        }
    }

    /** Makes the loss final; called under the gate's lock. */
    void lose(LeaseLostException reason) {
        loss = reason;
        record("lost");
    }

    /** Has the successor's loss told to those who listen to this hold; called under the gate's lock. */
    void passListenersTo(Hold next) {
        next.listeners = listeners;
        listeners = null;
    }

    /**
     * Tells the loss to the log and the listeners; called without the lock. One that may have been forced is told once the
     * store has said by whom, or could not, or the time for a request is over.
     */
    void tellLoss() {
        LeaseLostException reason = Objects.requireNonNull(loss);
        if (reason.reason() == LossReason.FORCED || reason.reason() == LossReason.FORGOTTEN) {
            gate.forcedBy(this).thenAccept(by -> {
                if (by.isPresent()) {
                    loss = Messages.forced(reason, by.get());
                }
                tell(Objects.requireNonNull(loss));
            });
        } else {
            tell(reason);
        }
    }

    private void tell(LeaseLostException reason) {
        gate.countLoss(reason);
        gate.engine().events().lost(reason);
        List<Consumer<? super LeaseLostException>> all = listeners; // none is added after the loss
        if (all != null) {
            all.forEach(listener -> gate.engine().callbacks().tell(() -> listener.accept(reason)));
        }
    }

    boolean isGivenBack() {
        return outcome != null;
    }

    /** Ends the hold from now on; the outcome may follow later. Called under the gate's lock. */
    void giveBack(CompletableFuture<Release> result) {
        outcome = result;
        record("released");
        if (result == Gate.RELEASED) {
            listeners = null; // else a loss that the release has found, or will, is told yet
        }
    }

    private void record(String how) {
        if (recording != null) {
            recording.end(name(), Threads.name(thread), token, how);
        }
    }

    /** Waits for the outcome of a release that was begun; an interrupt is kept for later. */
    private Release await() {
        CompletableFuture<Release> begun = Objects.requireNonNull(outcome);
        if (!begun.isDone()) {
            gate.engine().spin().await(() -> !begun.isDone());
            gate.engine().await(begun, Long.MAX_VALUE);
        }
        return begun.join();
    }

    @Override
    public Release release() {
        gate.release(this);
        return await();
    }

    /** Gives the lock back at once, also if it was to stay taken for longer. */
    public Release releaseAtOnce() {
        gate.forget(this);
        return release();
    }

    @Override
    public Release releaseAfter(Duration delay) {
        Objects.requireNonNull(delay, "delay");
        if (!gate.engine().store().capabilities().leasePerClaim()) {
            throw new UnsupportedOperationException(Messages.notKept(name()));
        }
        gate.release(this, Limits.nanos("delay", delay, Duration.ofDays(-365)));
        return await();
    }

    @Override
    public Duration extend(Duration duration) {
        Objects.requireNonNull(duration, "duration");
        long nanos = Limits.nanos(
                "duration", duration, Duration.ofMillis(claim.belief().isFixed() ? 10 : 1));
        Engine engine = gate.engine();
        CompletableFuture<Optional<String>> answered = gate.extend(this, nanos); // an earlier end counts from now on
        if (!engine.await(answered, engine.requestTimeoutNanos())) {
            throw new StoreUnavailableException(
                    "Extending the lease of '" + name() + "' failed: the store did not answer in time"
                            + claim.lastFailure(),
                    null);
        }
        answered.join().ifPresent(refusal -> {
            throw Messages.refusal(name(), refusal);
        });
        ensureHeld();
        return remaining();
    }

    @Override
    public CompletableFuture<Release> releaseAsync() {
        gate.release(this);
        CompletableFuture<Release> begun = Objects.requireNonNull(outcome);
        if (begun.isDone()) {
            return begun.copy();
        }
        CompletableFuture<Release> told = new CompletableFuture<>();
        begun.whenComplete((result, error) -> gate.engine().callbacks().run(() -> told.complete(result)));
        return told;
    }

    /** Does {@link #release()}, but waits the request timeout at most; UNKNOWN if there is no answer by then. */
    public Release releasePromptly() {
        gate.release(this);
        CompletableFuture<Release> begun = Objects.requireNonNull(outcome);
        boolean told = gate.engine().await(begun, gate.engine().requestTimeoutNanos());
        return told ? begun.join() : Release.UNKNOWN;
    }

    @Override
    public Optional<Lease> lease() {
        return Optional.of(this);
    }

    @Override
    public WaitEnd end() {
        return WaitEnd.ACQUIRED;
    }

    @Override
    public void discard() {
        gate.release(this);
    }

    @Override
    public void close() {
        boolean again = isGivenBack();
        Release result = release();
        if (!again && result != Release.RELEASED && !hasEnded()) {
            LOG.warn(
                    "The lease of '{}' (token {}) was not held any more when it was closed: {}", name(), token, result);
        }
    }

    /** Returns whether the lease was fixed, and ended at its time. */
    private boolean hasEnded() {
        LeaseLostException lost = loss;
        return lost != null && lost.reason() == LossReason.ENDED;
    }

    @Override
    public void fire(long now) {
        gate.notice(this);
    }

    @Override
    public String toString() {
        return "Lease of '" + name() + "', token " + token;
    }
}
