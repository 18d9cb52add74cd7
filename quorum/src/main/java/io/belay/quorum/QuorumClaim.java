package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A claim of the engine's, on its way through the members. It waits in this client's memory: on the members it enters
 * now or not at all. The first of those that wait tries again when it hears a release signal, when the holder's deadline has
 * passed, and by itself every now and then; the others seldom. Each attempt has an id of its own on the members.
 */
final class QuorumClaim implements Place.Waiter {
    /** An id on the members is the claim's own number, and the number of the attempt in so many bits. */
    private static final int ATTEMPT_BITS = 24;

    /** The number of proposals that follow each other at once. */
    private static final int PROPOSALS = 4;

    /** The number of times that a claim asks again which does not wait, if it cannot be said that the lock is taken. */
    private static final int REPEATS = 3;

    /** The number of such times where several have some of the members each, as long as the next one begins in time. */
    private static final int COLLISIONS = 5;

    /** That time, in nanoseconds: the engine is not to take those for silent who answer all the while. */
    private static final long LONGEST_TRY = 1_400_000_000;

    private enum State {
        WAITING,
        HELD,
        LEAVING,
        ENDED
    }

    private final Quorum quorum;
    private final QuorumStore store;
    private final Request.Enter enter;
    private final long[] floors;

    private State state = State.WAITING;
    /** The answer to the enter, as long as it is owed; null once it was told. */
    private @Nullable CompletableFuture<Answer> first;

    private @Nullable Attempt attempt;
    private int proposals;
    private int repeats;
    private final long begun;
    private final Backoff backoff;
    private final AnswerFactory answers;
    private final Place place;
    /** True if a release may have been signalled that the attempt under way has missed. */
    private boolean signalled;
    /** The number of alarms that were set, of which only the last one counts. */
    private int alarm;
    /** The instant at which the last alarm is due, in nanoseconds. */
    private long alarmAt;

    private boolean wanted;
    /** The present stay on the members, or the last. */
    private Candidacy candidacy;
    /** The sequence that the engine knows: the same for the whole wait, then that of the grant. */
    private long sequence = 1;
    /** The last of the sequences that are this claim's own. */
    private long lastSequence;

    private PromisedEnd deadline = PromisedEnd.NONE;
    private String trouble = "";
    private @Nullable ReleaseRound releaseRound;
    /** Who is shown as the owner, now and at later attempts. */
    private Owner owner;

    QuorumClaim(Quorum quorum, QuorumStore store, Request.Enter enter, CompletableFuture<Answer> first) {
        this.quorum = quorum;
        this.store = store;
        this.enter = enter;
        this.first = first;
        begun = quorum.clock.nanos();
        alarmAt = begun;
        floors = new long[quorum.size];
        owner = enter.owner();
        candidacy = new Candidacy(quorum, enter, owner, ClaimId.of(0, 0));
        backoff = new Backoff(quorum, enter.spec().lease());
        answers = new AnswerFactory(quorum);
        place = new Place(quorum, store.signals(), this, enter, this::newId);
    }

    /** Returns the number of the claim that has this id on the members. */
    static long number(ClaimId onMembers) {
        return onMembers.number() >>> ATTEMPT_BITS;
    }

    /** Returns whether the push is about the present stay on the members, not an earlier one. */
    boolean isNow(Push push) {
        return push.id().equals(candidacy.id) && push.resource().equals(enter.resource());
    }

    Candidacy candidacy() {
        return candidacy;
    }

    Place place() {
        return place;
    }

    /** Returns whether a renewal of that sequence is for the members; else {@link #present} tells all there is. */
    boolean isHeld(long ofSequence) {
        return state == State.HELD && sequence == ofSequence;
    }

    /** Returns until when the claim is held, in the quorum's microseconds. */
    long deadline() {
        return deadline.by(quorum.clock.moment());
    }

    // ---- getting it

    private ClaimId newId() {
        // Not numbered by itself: the engine may ask for the same claim again after it was told of a failure.
        long number = enter.id().number() << ATTEMPT_BITS | (store.nextAttempt() & ((1 << ATTEMPT_BITS) - 1));
        return ClaimId.of(quorum.client, number);
    }

    void attempt() {
        candidacy = new Candidacy(quorum, enter, owner, newId());
        Request.Enter request = candidacy.request(
                enter.spec().fixedLease(), quorum.propose(enter.spec().lease(), floors));
        wanted = false;
        attempt = new Attempt(
                quorum, request, candidacy.votes, floors, isTry(), ended -> ended(ended, request.proposed()));
        attempt.send();
    }

    /** Returns whether it asks for what is free, and is not answered yet: once it was had it waits like any other when others are let in. */
    private boolean isTry() {
        return first != null && enter.spec().ifFree();
    }

    private void ended(Attempt over, long proposed) {
        if (over != attempt) {
            return; // it was left meanwhile
        }
        attempt = null;
        trouble = "";
        PromisedEnd won = over.result() == Attempt.Result.WON ? candidacy.until() : PromisedEnd.NONE;
        if (won.micros() > quorum.micros()) {
            hold(proposed, won);
            return;
        }
        candidacy.leaveAll();
        switch (over.result()) {
            case BEHIND -> {
                if (++proposals < PROPOSALS) {
                    attempt();
                } else {
                    missed(over);
                }
            }
            case UNREACHABLE -> {
                trouble = store.trouble();
                if (!fail(StoreException.unreachable(trouble, null))) {
                    missed(over);
                }
            }
            case REFUSED -> {
                if (!end(Answer.State.REFUSED, over.refusal())) {
                    missed(over);
                }
            }
            default -> missed(over);
        }
    }

    private void hold(long proposed, PromisedEnd until) {
        quorum.won();
        state = State.HELD;
        sequence = proposed;
        lastSequence = proposed + Claim.STICKY_SEQUENCES - 1;
        deadline = until;
        proposals = 0;
        place.leave();
        if (!tell(present())) {
            push(true);
        }
    }

    private void missed(Attempt over) {
        proposals = 0;
        if (isTry()) {
            missedTry(over);
            return;
        }
        tell(present());
        if (over.wasClose()) {
            quorum.collided();
        }
        if (!trouble.isEmpty()) {
            place.leave(); // who reaches no majority is in nobody's way
            alarm(backoff.afterMiss(over));
        } else if (!place.isTaken()) {
            queue();
        } else if (place.isFirst()) {
            alarm(signalled ? backoff.afterSignal() : backoff.afterMiss(over));
        } else {
            alarm(backoff.behindOthers());
        }
    }

    /**
     * Ends a try as one of a lock that is taken, or tries again. One slow member and the trace of a holder that has just left on
     * another do not make a lock taken. Nor do several claims that have some of the members each, of which this is one, now or
     * before: unless a majority lists one of them, each tries again after a pause of its own, so long that the first one's votes
     * may be asked for before the next one begins.
     */
    private void missedTry(Attempt over) {
        boolean collides = over.wasSplit() || (repeats > 0 && over.wasTaken());
        if (collides ? repeats == COLLISIONS : over.wasTaken() || repeats >= REPEATS) {
            end(Answer.State.BUSY, null);
        } else if (collides) {
            new Poll<Store.Snapshot>(quorum, all -> {
                        long left = LONGEST_TRY - (quorum.clock.nanos() - begun);
                        if (left <= 0 || Holders.of(all, quorum).resource().isPresent()) {
                            end(Answer.State.BUSY, null);
                        } else {
                            long trip = Math.max(Quorum.LEAST_SPREAD, Math.min(over.trip(), quorum.timeoutNanos));
                            alarm(quorum.moment(Math.min(trip << ++repeats, left)));
                        }
                    })
                    .send((member, then) -> member.inspect(enter.resource(), then));
        } else {
            alarm(quorum.moment() << ++repeats);
        }
    }

    private void queue() {
        alarm(backoff.behindOthers());
        place.look();
    }

    private void alarm(long nanos) {
        alarm(nanos, () -> {
            store.signals().arm(enter.resource(), enter.owner());
            signalled = false;
            attempt();
        });
    }

    private void alarm(long nanos, Runnable then) {
        int mine = ++alarm;
        alarmAt = quorum.clock.nanos() + nanos;
        quorum.later(nanos, () -> {
            if (mine == alarm && state == State.WAITING && attempt == null) {
                then.run();
            }
        });
    }

    @Override
    public void signalled() {
        if (attempt != null) {
            signalled = true;
        } else if (state == State.WAITING) {
            alarm(backoff.afterSignal(), () -> {
                attempt();
                signalled = true;
            });
        }
    }

    @Override
    public void becomesFirst() {
        signalled = true;
        if (attempt == null) {
            alarm(0);
        }
    }

    /**
     * Sees to it that a claim which waits goes on to try: an Error, as for want of memory, may have broken off the step that was to
     * end its attempt, or to set its next alarm. The engine asks for a claim that waits now and then.
     */
    void goOn() {
        if (state != State.WAITING || isTry()) {
            return;
        }
        long longest = 2 * quorum.timeoutNanos;
        Attempt late = attempt;
        if (late != null && late.age() > longest) {
            // After a pause of this process the answers that have come meanwhile are read first.
            quorum.shortly(() -> {
                if (attempt == late && state == State.WAITING) {
                    late.abandon();
                    attempt = null;
                    candidacy.leaveAll();
                    alarm(0);
                }
            });
        } else if (late == null && quorum.clock.nanos() - alarmAt > longest) {
            alarm(0);
        }
    }

    // ---- having it

    /**
     * Tells the claim that a renewal has ended, or a round that fixed its end.
     *
     * @param fresh the sequence that a majority has given the claim at least, if one was asked for; else 0
     */
    void renewed(Candidacy renewed, long fresh) {
        if (state != State.HELD || renewed != candidacy) {
            return;
        }
        deadline = candidacy.until();
        if (deadline.micros() == 0) {
            candidacy.leaveAll();
            finish();
            return;
        }
        if (fresh > lastSequence) {
            sequence = fresh;
            lastSequence = fresh + Claim.STICKY_SEQUENCES - 1;
        }
        if (enter.spec().fixedLease() == 0 && !candidacy.isFixed() && deadline.micros() > quorum.micros()) {
            candidacy.reenter(enter.spec().lease(), sequence, floors);
        }
    }

    /** Enters the claim where it was lost, for what is left until its fixed end: a next round may fix it there, too. */
    void reenterUntilItsEnd() {
        long left = deadline() - quorum.micros();
        if (left > 0) {
            candidacy.reenter(left, sequence, floors);
        }
    }

    /** Shows another owner, on the members too: whether they have heard of it changes nothing else. */
    void describe(Request.Describe request) {
        if (sequence == request.sequence()) {
            owner = request.owner();
            if (state == State.HELD) {
                candidacy.describe(owner);
            }
        }
    }

    /** Tells the claim that another wants the lock. */
    void wanted() {
        wanted = true;
        if (state == State.HELD) {
            push(true);
        } else if (state == State.LEAVING) {
            store.signals().signal(enter.resource());
        }
    }

    /** Tells the claim that the member has ended it by force. */
    void taken(Member member) {
        if (state != State.HELD && attempt == null) {
            return;
        }
        candidacy.votes[member.index].clear();
        deadline = candidacy.until();
        if (deadline.micros() == 0 && state == State.HELD) {
            candidacy.leaveAll();
            push(false);
            finish();
        }
    }

    // ---- giving it up

    /**
     * Gives the claim a fresh sequence if no other wants the lock, and lets others in if one does.
     *
     * @return whether that is done; if not, it takes a renewal for a fresh sequence
     */
    boolean yield() {
        if (enter.spec().fixedLease() > 0 || candidacy.isToBeFixed()) {
            return true;
        }
        if (wanted || !store.capabilities().push()) {
            letOthersIn();
        } else if (!enter.spec().sticky() && sequence < lastSequence) {
            sequence++; // the members have given it many
        } else {
            return false;
        }
        return true;
    }

    void letOthersIn() {
        candidacy.leaveAll();
        store.signals().signal(enter.resource());
        state = State.WAITING;
        owner = owner.withSince(0); // which is not told of the next hold
        sequence = lastSequence + 1;
        alarm(backoff.afterYield(), this::queue);
    }

    CompletableFuture<Answer> leave() {
        CompletableFuture<Answer> outcome = new CompletableFuture<>();
        if (state == State.WAITING) {
            if (attempt != null) {
                attempt.abandon();
            }
            candidacy.leaveAll();
            end(Answer.State.GONE, null);
            finish();
            outcome.complete(answers.none(Answer.State.LEFT, null));
        } else if (state == State.LEAVING && releaseRound != null) {
            left(releaseRound.outcome(), outcome);
        } else {
            state = State.LEAVING;
            releaseRound = new ReleaseRound(quorum, candidacy.votes, deadline, how -> left(how, outcome));
            releaseRound.send(enter.resource(), candidacy.id, candidacy.expiry());
            if (wanted) {
                store.signals().signal(enter.resource());
            }
        }
        return outcome;
    }

    private void left(Answer.State how, CompletableFuture<Answer> outcome) {
        if (how == Answer.State.WAITING) {
            quorum.later(candidacy.expiry() - quorum.clock.nanos(), this::finish);
            outcome.completeExceptionally(StoreException.unreachable(store.trouble(), null));
        } else {
            finish();
            outcome.complete(answers.none(how, null));
        }
    }

    /** Ends the claim here; members end theirs by themselves. */
    void finish() {
        state = State.ENDED;
        place.leave();
        store.remove(enter.id());
    }

    // ---- telling the engine

    CompletableFuture<Answer> first(CompletableFuture<Answer> otherwise) {
        CompletableFuture<Answer> open = first;
        return open == null ? otherwise : open;
    }

    private boolean tell(Answer answer) {
        CompletableFuture<Answer> open = first;
        first = null;
        return open != null && open.complete(answer);
    }

    /** Ends the claim by the answer to its enter, if that is still open. */
    private boolean end(Answer.State how, @Nullable String refusal) {
        if (first == null) {
            return false;
        }
        finish();
        return tell(answers.none(how, refusal));
    }

    private boolean fail(StoreException error) {
        CompletableFuture<Answer> open = first;
        first = null;
        if (open != null) {
            finish();
            open.completeExceptionally(error);
        }
        return open != null;
    }

    /** Returns why it cannot be said how the claim stands; empty if it can. */
    String trouble() {
        return state == State.WAITING ? trouble : "";
    }

    /** Returns how the claim stands. */
    Answer present() {
        return present(null);
    }

    Answer present(@Nullable String refusal) {
        return switch (state) {
            case HELD -> answers.granted(sequence, deadline(), candidacy.fixes(), wanted, refusal);
            case WAITING -> answers.waiting(sequence, enter.spec().lease(), refusal);
            case LEAVING, ENDED -> answers.none(Answer.State.GONE, refusal);
        };
    }

    private void push(boolean granted) {
        store.push(Push.of(enter.resource(), enter.id(), sequence, granted, quorum.micros(), granted ? deadline() : 0)
                .withWanted(granted && wanted)
                .from(AnswerFactory.RUN));
    }
}
