package io.belay.internal.claim;

import io.belay.Release;
import io.belay.internal.claim.Belief.Phase;
import io.belay.internal.time.StepLock;
import io.belay.internal.time.Time;
import io.belay.internal.time.Timers;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Confirmation;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A claim on its way through the store: it holds the {@link Belief}, sends what the belief asks for, sends it again
 * when no answer comes, and tells its {@link ClaimOwner} when the belief changes. All state is guarded by the owner's
 * lock ({@link StepLock}); the belief may be read by anybody.
 */
public final class LiveClaim extends Timers.Timer implements Backlog.Entrant {
    /** The time from a request whose answer was not enough to the next one, in nanoseconds. */
    private static final long ASK_AGAIN = 20_000_000;

    private final Engine engine;
    private final String resource;
    private final ClaimSpec spec;
    private final ClaimOwner owner;
    private final StepLock steps;
    private final Requests requests;

    private volatile Belief belief;
    /** The number of replicas that had the last answer, and how many were asked for; null where nobody asks. */
    private volatile @Nullable Confirmation confirmation;

    private final InFlight inFlight = new InFlight();
    private final Leaving leaving;
    private boolean ended;
    private final Reweighting weights;
    private final Fixing fixing = new Fixing();
    private boolean outlives;
    private long outlivesUntil;
    /** The latest end that the store was ever asked to give the claim, as far as that is not its usual lease. */
    private long latestEnd;

    private final News news;

    /** Makes a claim that is to be entered; called under the lock, like most of what follows. */
    public LiveClaim(Engine engine, String resource, Owner shown, ClaimSpec spec, ClaimOwner owner, StepLock steps) {
        this.engine = engine;
        this.resource = resource;
        this.spec = spec;
        this.owner = owner;
        this.steps = steps;
        requests = new Requests(resource, shown.withLease(spec.fixedLease() > 0 ? 0 : spec.lease()), spec, owner);
        weights = new Reweighting(spec.weight());
        leaving = new Leaving(engine.backlog(), resource, steps);
        news = new News(steps);
        latestEnd = engine.time().nanos();
        belief = Belief.entering(engine.nextClaimId(), spec, latestEnd);
        engine.register(this);
        closeIfLate();
    }

    /** Tells the owner if the client began to end while this claim was made, as nobody else does. */
    void closeIfLate() {
        if (engine.isClosing()) {
            steps.later(owner::clientEnds);
        }
    }

    public Belief belief() {
        return belief;
    }

    public ClaimId id() {
        return belief.id();
    }

    /** Returns whether the last request is unanswered, so that nothing new is known of the resource. */
    public boolean isOutOfTouch() {
        return belief.phase() == Phase.ENTERING || inFlight.isOutOfTouch();
    }

    @Nullable
    public Confirmation confirmation() {
        return confirmation;
    }

    /** Returns why the answer is missing, as the end of a sentence or empty; other claims may have been answered. */
    public String lastFailure() {
        String failure = inFlight.failure();
        return failure == null ? engine.lastFailure() : ": " + failure;
    }

    /** Returns whether the answer may be missing just because it takes its time. */
    public boolean isAnswerDue(long now) {
        return inFlight.isBegun() ? inFlight.isAnswerDue(now) : now - answerDueUntil() < 0;
    }

    /** Returns until when the answer may be missing just because it takes its time. */
    public long answerDueUntil() {
        return inFlight.isBegun() ? inFlight.answerDueUntil() : belief.since() + engine.patience();
    }

    /** Returns whether the machine may have been suspended since the last answer, and the lease have ended since. */
    public boolean isUnsure(long now) {
        Time time = engine.time();
        // A thread that was not scheduled between the two readings is no suspension: only then look closely.
        return belief.isUnsure(time.wallMillis() - now / 1_000_000) && belief.isUnsure(time.wallAheadMillis());
    }

    // All methods below are called under the lock; what they send goes out after the step.

    public void enter() {
        if (!engine.backlog().delays(resource, this)) {
            transmit(engine.time().nanos());
        }
    }

    @Override
    public void goOn() {
        unlocked(this::transmit);
    }

    /** Asks the store now, unless a request is on its way already; a little later if it has just been asked in vain. */
    public void ask(long now) {
        if (inFlight.isUnderWay() || !inFlight.isBegun()) {
            return;
        }
        Belief.Anchor last = belief.anchor();
        long at = last != null && last.sent() - belief.since() > 0 ? last.sent() + ASK_AGAIN : now;
        if (at - now <= 0) {
            transmit(now);
        } else if (at - belief.askAt() < 0) {
            belief = belief.asking(at);
            reschedule();
        }
    }

    /** Asks the store; the future is done with its next answer, or when the claim has ended. */
    public CompletableFuture<Void> askForNews(long now) {
        if (ended || belief.phase().isFinal()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> next = news.next();
        ask(now);
        return next;
    }

    /** Asks for a fresh sequence, which the store gives if nobody waits. */
    public void refresh(long now) {
        requests.wantFresh();
        if (!inFlight.isUnderWay()) {
            transmit(now);
        }
    }

    public int weight() {
        return weights.weight();
    }

    /** Asks for another weight; the owner is told whether the change was made. */
    public void reweight(int weight) {
        boolean first = !weights.isPending();
        weights.ask(weight);
        if (first) {
            transmit(engine.time().nanos());
        }
    }

    /**
     * Asks for another end of a fixed lease. The future is done with why it was refused; with nothing once the belief shows
     * the end, or the claim has ended.
     */
    public CompletableFuture<Optional<String>> fix(long end, long now) {
        if (ended || belief.phase() != Phase.HELD) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        CompletableFuture<Optional<String>> done = askFor(end);
        transmit(now);
        return done;
    }

    /**
     * Has the claim enter with a lease of at least that many microseconds, as its first renewal may come too late; before the
     * enter.
     */
    public void enterFor(long atLeast) {
        requests.enterFor(atLeast);
        lasts(engine.time().nanos() + atLeast * 1000);
    }

    /**
     * Renews the claim by fixed ends from now on, the first of them then or later: so it stands until its end also where the
     * store would notice that its client has died.
     */
    public void outlive(long instant, long now) {
        outlives = true;
        outlivesUntil = instant;
        renewByFix(now);
    }

    private void renewByFix(long now) {
        long end = now + spec.lease() * 1000;
        askFor(end - outlivesUntil < 0 ? outlivesUntil : end);
        transmit(now);
    }

    /** Renews the claim so that it ends no sooner than then, whatever follows; the future is done with the answer. */
    public CompletableFuture<Void> keepUntil(long instant, long now) {
        requests.keepUntil(instant);
        lasts(instant);
        CompletableFuture<Void> answered = news.next();
        transmit(now);
        return answered;
    }

    private CompletableFuture<Optional<String>> askFor(long end) {
        lasts(end);
        return fixing.ask(end);
    }

    private void lasts(long end) {
        latestEnd = end - latestEnd > 0 ? end : latestEnd;
    }

    /** Returns whether the store has let the claim expire by now, whatever it knows of it. */
    private boolean isOver(long now) {
        long lease = Math.max(spec.lease(), spec.fixedLease()) * 1000;
        return engine.expires() && now - belief.since() > lease && now - latestEnd > 0;
    }

    public void yield() {
        long now = engine.time().nanos();
        belief = belief.yielding(now);
        transmit(now);
    }

    /**
     * Ends the claim for this client, while the store keeps it until that instant, whatever becomes of the client; the outcome
     * is told as that of a leave.
     */
    public void leaveAt(long instant, @Nullable Consumer<Release> outcome) {
        settleFix(null);
        askFor(instant);
        beginToLeave(outcome);
    }

    /**
     * Ends the claim; the outcome is told once, outside the lock. Behind an enter that is not answered the leave
     * waits for the answer, if that comes in time: then no copy of the enter can come late, and the store has nothing
     * to remember.
     */
    public void leave(@Nullable Consumer<Release> outcome) {
        settleFix(null);
        beginToLeave(outcome);
    }

    private void beginToLeave(@Nullable Consumer<Release> outcome) {
        long now = engine.time().nanos();
        boolean first = belief.phase() == Phase.ENTERING && inFlight.isFirst();
        leaving.begin(outcome);
        belief = belief.leaving(now);
        if (engine.isDraining()) {
            steps.later(engine.life()::claimEnded);
        }
        if (!inFlight.isBegun()) {
            leaving.tell(Release.RELEASED);
            end();
        } else if (first && !engine.isDown()) {
            leaving.unclear();
        } else {
            transmit(now);
        }
    }

    /** Sends a leave that still waits for the enter's answer, since the client is closed; called without the lock. */
    void leaveNow() {
        unlocked(now -> {
            if (belief.phase().isFinal() && !leaving.isSent()) {
                transmit(now);
            }
        });
    }

    /** Notices that the lease has ended, if it has, before the keeper does. */
    public void expire(long now) {
        become(belief.at(now), now);
    }

    /** Takes a push that has arrived; called without the lock. */
    void pushed(Push push) {
        unlocked(now -> become(belief.pushed(push, now), now));
    }

    /** Asks the store anew, as the connection was lost and is there again; called without the lock. */
    void check() {
        unlocked(now -> {
            if (belief.phase() == Phase.WAITING || belief.phase() == Phase.HELD) {
                inFlight.giveUp();
                belief = belief.asking(now);
            } else if (inFlight.isBegun()) {
                again(now);
            }
            inFlight.forgive(); // an answer on the new connection takes its time
            owner.reconnected();
        });
    }

    /** Asks the store now and then, if it is not asked for renewals; called without the lock. */
    void lookIfFixed() {
        if (belief.isFixed()) {
            unlocked(now -> {});
        }
    }

    /** Asks the store how the claim stands if the machine may have been suspended; called without the lock. */
    void checkIfUnsure() {
        unlocked(now -> {
            if (belief.phase() == Phase.HELD && isUnsure(now)) {
                ask(now);
            }
        });
    }

    ClaimOwner owner() {
        return owner;
    }

    /** Returns whether a client that drains waits for the claim's end: somebody has the lock by it. */
    boolean isWaitedFor() {
        return !belief.phase().isFinal() && owner.isWaitedFor();
    }

    /** Ends the claim, as the client is closed and the store gave no answer; called without the lock. */
    void abandon() {
        unlocked(now -> end());
    }

    private void unlocked(LongConsumer step) {
        steps.begin();
        try {
            if (!ended) {
                step.accept(engine.time().nanos());
                reschedule();
            }
        } finally {
            steps.end();
        }
    }

    private void become(Belief next, long now) {
        Belief before = belief;
        if (next == before) {
            return;
        }
        belief = next;
        boolean ends = next.phase().isFinal() && !before.phase().isFinal();
        if (ends) {
            settleFix(null);
            if (next.phase() == Phase.LOST || next.phase() == Phase.FAILED || next.isUnclear()) {
                transmit(now);
            } else {
                end();
            }
        }
        if (!next.looksLike(before)) {
            owner.changed(this, before, now);
        }
    }

    private void end() {
        ended = true;
        engine.unregister(this);
        engine.timers().cancel(this);
        if (!inFlight.isBegun()) {
            engine.backlog().forget(resource, this);
        }
        leaving.settled();
        leaving.tell(Release.UNKNOWN);
        settleFix(null);
        news.tell();
    }

    private void settleFix(@Nullable String refusal) {
        CompletableFuture<Optional<String>> asked = fixing.settle();
        if (asked != null) {
            steps.later(() -> asked.complete(Optional.ofNullable(refusal)));
        }
    }

    /** Makes the request that the present phase calls for, and has it sent after the step. */
    private void transmit(long now) {
        Request next = requests.next(belief, weights, fixing, now);
        int number = inFlight.begin(now, engine.patience(), engine.requestTimeoutNanos());
        if (fixing.isPending() && belief.phase() == Phase.HELD && belief.isFixed()) {
            belief = fixing.believed(belief, now);
        }
        boolean leave = belief.phase().isFinal();
        if (leave) {
            leaving.sent(belief.isUnclear());
        }
        boolean reweight = next instanceof Request.Reweight;
        steps.later(() -> {
            long sent = engine.time().nanos();
            long offset = engine.time().wallAheadMillis();
            engine.send(next)
                    .whenComplete((answer, error) ->
                            answered(answer, error, new SentRequest(number, sent, offset, leave, reweight)));
        });
        reschedule();
    }

    /** Takes the answer to a request, or its failure; called without the lock. */
    void answered(@Nullable Answer answer, @Nullable Throwable error, SentRequest sent) {
        unlocked(now -> answered(answer, error, sent, now));
        // A late copy of its enter has entered a claim anew whose kept one is over: nobody wants that.
        if (answer != null
                && answer.sequence() > belief.sequence()
                && engine.kept().contains(id().number())) {
            engine.send(new Request.Leave(resource, id(), false));
        }
    }

    private void answered(@Nullable Answer answer, @Nullable Throwable error, SentRequest sent, long now) {
        if (belief.phase().isFinal() && !sent.leave()) {
            if (!leaving.isSent()) {
                entered(answer, error, sent, now);
            } else if (answer != null && fixing.isPending()) {
                keepUnder(answer.sequence(), now);
            }
            return; // else too late to matter; the leave is on its way
        }
        if (answer == null) {
            failed(engine.noteFailure(error), sent, now);
            return;
        }
        engine.noteAnswer();
        engine.spin().answered(now - sent.at());
        if (sent.leave() && isToBeKeptYet(answer)) {
            if (!keepUnder(answer.sequence(), now)) {
                inFlight.backOff(now);
            }
            return;
        }
        if (inFlight.isLast(sent.number())) {
            inFlight.answered();
        }
        if (sent.leave()) {
            left(answer, now);
        } else {
            believe(answer, sent, now);
            news.tell();
        }
    }

    /** Asks again to keep what was left if it has a later sequence, from a renewal or an enter that was under way. */
    private boolean keepUnder(long sequence, long now) {
        if (sequence <= belief.sequence()) {
            return false;
        }
        belief = belief.resequenced(sequence);
        transmit(now);
        return true;
    }

    private boolean isKept(Answer answer) {
        return fixing.isPending() && answer.state() == Answer.State.GRANTED;
    }

    private boolean isToBeKeptYet(Answer answer) {
        return isKept(answer) && answer.refusal() == null && !fixing.isSeen(answer);
    }

    /** Takes the answer to a leave, or to the request to keep for a while what was left. */
    private void left(Answer answer, long now) {
        boolean kept = isKept(answer);
        if (kept && answer.refusal() != null) {
            String why = answer.refusal();
            steps.later(() -> engine.events()
                    .warn(
                            "kept",
                            resource,
                            "The lock '" + resource + "' is free at once, as it cannot be kept: " + why));
            settleFix(null);
            transmit(now);
            return;
        }
        if (kept) {
            engine.kept().add(belief.id().number(), now);
        }
        boolean inTime = now - belief.until() < 0 && !isUnsure(now);
        boolean wasKept = fixing.isPending() && !fixing.isOver(now);
        leaving.answered(answer, kept, wasKept, inTime, belief.isOfRun(answer.server()));
        if (!kept && fixing.isPending() && belief.isUnclear()) {
            settleFix(null);
            transmit(now); // a copy of its enter may come yet, and is to be refused
        } else {
            end();
        }
    }

    /** Takes the answer to the enter of a claim that was given up, or its failure. */
    private void entered(@Nullable Answer answer, @Nullable Throwable error, SentRequest sent, long now) {
        if (answer == null) {
            engine.noteFailure(error);
            transmit(now);
            return;
        }
        engine.noteAnswer();
        belief = belief.entered(answer, sent.at(), sent.offset());
        if (belief.isThere()) {
            transmit(now);
            if (!belief.isUnclear()) {
                leaving.settled(); // the next enter goes behind the leave
            }
        } else {
            leaving.tell(Release.RELEASED);
            end();
        }
    }

    private void believe(Answer answer, SentRequest sent, long now) {
        boolean listed = answer.state() == Answer.State.GRANTED || answer.state() == Answer.State.WAITING;
        confirmation = listed ? answer.confirmation() : confirmation;
        become(belief.at(now), now);
        boolean waited = belief.phase() == Phase.WAITING;
        become(belief.answered(answer, sent.at(), sent.offset(), now), now);
        if (waited && belief.phase() != Phase.WAITING) {
            engine.missedAPush();
        }
        if (belief.phase() == Phase.HELD) {
            learnChange(answer, sent, now);
        }
    }

    private void learnChange(Answer answer, SentRequest sent, long now) {
        if (fixing.isSent()) {
            boolean refused = inFlight.isLast(sent.number()) && answer.refusal() != null;
            if (refused || fixing.isSeen(answer)) {
                weights.skip(answer.reweights());
                outlives &= !refused;
                settleFix(answer.refusal());
            }
        } else {
            learnWeight(answer, sent, now);
        }
        if ((weights.isPending() || fixing.isPending()) && !inFlight.isUnderWay()) {
            transmit(now);
        }
    }

    private void learnWeight(Answer answer, SentRequest sent, long now) {
        Boolean made = weights.answered(answer, inFlight.isLast(sent.number()) && sent.reweight());
        if (made != null) {
            owner.reweighted(this, made, now);
        }
    }

    private void failed(StoreException error, SentRequest sent, long now) {
        if (!inFlight.isLast(sent.number())) {
            return; // it was sent again since
        }
        inFlight.failed(error);
        if (!error.isTemporary() && belief.phase().isFinal()) {
            end(); // it can only expire
            return;
        }
        if (!error.isTemporary() && belief.phase() != Phase.HELD) { // a holder is told at its deadline
            become(belief.failed(String.valueOf(error.getMessage()), now), now);
            return;
        }
        inFlight.backOff(now);
    }

    private void reschedule() {
        if (!ended) {
            engine.timers().schedule(this, next());
        }
    }

    /** Returns when there is something to do, if nothing is heard before. */
    private long next() {
        Belief b = belief;
        boolean asked = inFlight.isUnderWay();
        long at = asked ? inFlight.resendAt() : b.askAt();
        if (!asked && b.phase() == Phase.WAITING && b.anchor() != null) {
            at = engine.pollNoLaterThan(at, b.anchor().sent());
        }
        if (!asked && b.phase() == Phase.HELD && b.isFixed() && b.anchor() != null) {
            at = engine.lookNoLaterThan(at, b.anchor().sent(), spec.fixedLease() * 1000);
        }
        if (b.phase() == Phase.HELD && (at == Long.MAX_VALUE || at - b.until() > 0)) {
            at = b.until();
        } else if (!asked && b.phase() == Phase.HELD && b.anchor() != null) {
            at = engine.renewals().together(at, b.anchor().sent());
        } else if (leaving.isAwaited() && awaitedUntil() - at < 0) {
            at = awaitedUntil();
        }
        return at;
    }

    /** Returns until when whoever gives the lock back is kept waiting for the store: time enough to ask it twice. */
    private long awaitedUntil() {
        return belief.since() + 2 * engine.requestTimeoutNanos();
    }

    /** Expires, renews or sends again what is due, on the thread that fires the timers. */
    @Override
    public void fire(long fired) {
        unlocked(now -> {
            become(belief.at(now), now);
            if (ended) {
                return;
            }
            if (leaving.isAwaited() && now - awaitedUntil() >= 0) {
                leaving.tell(Release.UNKNOWN); // the engine goes on
            }
            if (inFlight.isSilence(now)) {
                engine.noteSilence();
            }
            boolean missing = inFlight.isOverdue(now);
            boolean renews = belief.phase() == Phase.HELD || belief.phase() == Phase.WAITING;
            if (missing && (!renews || weights.isPending() || fixing.isPending())) {
                again(now);
            } else if (outlives && belief.phase() == Phase.HELD && !inFlight.isUnderWay()) {
                renewByFix(now);
                describe();
            } else if (missing
                    || (!inFlight.isUnderWay() && (belief.askAt() != Long.MAX_VALUE || belief.phase() == Phase.HELD))) {
                if (missing) {
                    inFlight.missed();
                }
                engine.renewals()
                        .add(
                                this,
                                requests.renewal(belief, now),
                                inFlight.begin(now, engine.patience(), engine.requestTimeoutNanos()));
                describe();
            }
        });
        engine.renewals().flushIfFull();
    }

    /** Shows who has the lock, if that has changed since it was shown last. */
    private void describe() {
        Request description = belief.phase() == Phase.HELD ? requests.description(belief, owner.present(this)) : null;
        if (description != null) {
            steps.later(() -> engine.send(description).whenComplete((answer, error) -> {
                if (error != null) {
                    unlocked(now -> requests.notDescribed());
                }
            }));
        }
    }

    /** Sends the request again, as no answer came, or a failure did. */
    private void again(long now) {
        if (belief.phase().isFinal()) {
            if (leaving.isSent() && isOver(now)) {
                end();
                return;
            }
        } else if (belief.phase() == Phase.ENTERING) {
            belief = belief.enteringAgain();
        }
        inFlight.missed();
        transmit(now);
    }
}
