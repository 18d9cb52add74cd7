package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.StoreException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One claim of the engine's, on its way through the members. It waits in this client's memory: on the members it enters
 * now or not at all, and tries again when it hears the bell, when the holder's deadline has passed, and by itself every
 * now and then. Each attempt has an id of its own on the members.
 */
final class QuorumClaim {
    /** An id on the members is the claim's own number, and the number of the attempt in so many bits. */
    private static final int ATTEMPT_BITS = 24;

    /** How many proposals follow each other at once. */
    private static final int PROPOSALS = 4;

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
    /** What to tell of the enter; null once it was told. */
    private @Nullable CompletableFuture<Answer> first;

    private ClaimId onMembers = new ClaimId(0, 0);
    private @Nullable Attempt attempt;
    private int proposals;
    private final Patience patience;
    private final Answers answers;
    /** Whether it hears the bell of its name. */
    private boolean listens;

    private boolean rung;
    /** Counts the alarms, of which only the last one counts. */
    private int alarm;

    private boolean wanted;
    /** Where it is on the members, under the id of the last attempt. */
    private Share[] shares = {};
    /** The sequence that the engine knows: the same for the whole wait, then that of the grant. */
    private long sequence = 1;
    /** Up to where sequences are this claim's own. */
    private long lastSequence;

    private long deadline;
    private String trouble = "";
    private @Nullable Departure departure;

    QuorumClaim(Quorum quorum, QuorumStore store, Request.Enter enter, CompletableFuture<Answer> first) {
        this.quorum = quorum;
        this.store = store;
        this.enter = enter;
        this.first = first;
        floors = new long[quorum.size];
        patience = new Patience(quorum, enter.lease());
        answers = new Answers(quorum);
    }

    /** The number of the claim that has this id on the members. */
    static long number(ClaimId onMembers) {
        return onMembers.number() >>> ATTEMPT_BITS;
    }

    /** Whether it is about the present stay on the members, not an earlier one. */
    boolean isNow(Push push) {
        return push.id().equals(onMembers) && push.resource().equals(enter.resource());
    }

    Share[] shares() {
        return shares;
    }

    /** Whether a renewal of that sequence is for the members; else {@link #present} tells all there is. */
    boolean isHeld(long ofSequence) {
        return state == State.HELD && sequence == ofSequence;
    }

    // ---- getting it

    void attempt() {
        // Not numbered by itself: the engine may ask for the same claim again after it was told of a failure.
        long number = enter.id().number() << ATTEMPT_BITS | (store.nextAttempt() & ((1 << ATTEMPT_BITS) - 1));
        onMembers = new ClaimId(quorum.client, number);
        Request.Enter request = request(enter.hold(), quorum.propose(enter.lease(), floors));
        rung = false;
        wanted = false;
        attempt = new Attempt(quorum, request, floors, ended -> ended(ended, request.proposed()));
        shares = attempt.shares;
        attempt.send();
    }

    private Request.Enter request(long hold, long proposed) {
        return new Request.Enter(
                enter.resource(),
                onMembers,
                Resource.WHOLE,
                Resource.WHOLE,
                enter.lease(),
                hold,
                true,
                enter.localWaiters(),
                true, // so that the members tell who holds it that somebody wants it
                enter.owner(),
                proposed);
    }

    private void ended(Attempt over, long proposed) {
        if (over != attempt) {
            return; // it was left meanwhile
        }
        attempt = null;
        trouble = "";
        long won = over.result() == Attempt.Result.WON ? majorityUntil() : 0;
        if (won > quorum.micros()) {
            hold(proposed, won);
            return;
        }
        leaveAll();
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

    private void hold(long proposed, long until) {
        quorum.won();
        state = State.HELD;
        sequence = proposed;
        lastSequence = proposed + Claim.STICKY_SEQUENCES - 1;
        deadline = until;
        proposals = 0;
        deafen();
        if (!tell(present())) {
            push(true);
        }
    }

    private void missed(Attempt over) {
        proposals = 0;
        if (enter.ifFree()) {
            end(Answer.State.BUSY, null);
            return;
        }
        tell(present());
        if (over.wasClose()) {
            quorum.collided();
        }
        if (!listens) {
            listen();
            alarm(patience.afterFirst(over));
        } else {
            alarm(rung ? patience.afterBell() : patience.afterMiss(over));
        }
    }

    private void listen() {
        listens = true;
        store.bells().listen(enter.resource(), this);
    }

    private void deafen() {
        listens = false;
        store.bells().deafen(enter.resource(), this);
    }

    private void alarm(long nanos) {
        int mine = ++alarm;
        quorum.later(nanos, () -> {
            if (mine == alarm && state == State.WAITING && attempt == null) {
                store.bells().arm(enter.resource(), enter.owner());
                attempt();
            }
        });
    }

    /** The lock is free, or may be. */
    void rung() {
        if (attempt != null) {
            rung = true;
        } else if (state == State.WAITING) {
            alarm(patience.afterBell());
        }
    }

    // ---- having it

    Request.Renew renewal(Request.Renew wish, long sequenceThere) {
        long lease = Math.min(wish.lease(), quorum.longestMicros);
        return new Request.Renew(wish.resource(), onMembers, sequenceThere, lease, wish.localWaiters(), wish.fresh());
    }

    /**
     * A renewal has ended.
     *
     * @param fresh the sequence that a majority has given it at least, if one was asked for; else 0
     */
    void renewed(Share[] renewed, long fresh) {
        if (state != State.HELD || renewed != shares) {
            return;
        }
        deadline = majorityUntil();
        if (deadline == 0) {
            leaveAll();
            finish();
            return;
        }
        if (fresh > lastSequence) {
            sequence = fresh;
            lastSequence = fresh + Claim.STICKY_SEQUENCES - 1;
        }
        if (enter.hold() == 0 && deadline > quorum.micros()) {
            reenter();
        }
    }

    /**
     * Members that have lost it, or never had it, are to have it, so that a long hold outlives them all in turn. It is
     * the next renewal that tells whether that is a vote.
     */
    private void reenter() {
        for (Member member : quorum.members) {
            Share share = shares[member.index];
            if (share.there || member.store() == null) {
                continue;
            }
            share.there = true;
            share.unclear = true;
            long proposed = Math.max(sequence, quorum.propose(enter.lease(), floors));
            member.send(request(0, proposed), answer -> {
                if (answer != null) {
                    share.unclear = false;
                    share.there = answer.state() == Answer.State.GRANTED;
                    share.sequence = answer.sequence();
                    floors[member.index] = Math.max(floors[member.index], answer.sequence());
                }
            });
        }
    }

    /** Somebody else wants it. */
    void wanted() {
        wanted = true;
        if (state == State.HELD) {
            push(true);
        } else if (state == State.LEAVING) {
            store.bells().ring(enter.resource());
        }
    }

    /** The member has ended it by force. */
    void taken(Member member) {
        if (shares.length == 0 || (state != State.HELD && attempt == null)) {
            return;
        }
        shares[member.index].clear();
        deadline = majorityUntil();
        if (deadline == 0 && state == State.HELD) {
            leaveAll();
            push(false);
            finish();
        }
    }

    // ---- giving it up

    /**
     * Gives it a fresh sequence if nobody else wants it, and lets others in if somebody does.
     *
     * @return whether that is done; if not, it takes a renewal for a fresh sequence
     */
    boolean yield() {
        if (enter.hold() > 0) {
            return true;
        }
        if (wanted || !store.capabilities().push()) {
            letOthersIn();
        } else if (!enter.sticky() && sequence < lastSequence) {
            sequence++; // the members have given it many
        } else {
            return false;
        }
        return true;
    }

    void letOthersIn() {
        leaveAll();
        store.bells().ring(enter.resource());
        listen();
        state = State.WAITING;
        sequence = lastSequence + 1;
        alarm(patience.afterYield());
    }

    CompletableFuture<Answer> leave() {
        CompletableFuture<Answer> outcome = new CompletableFuture<>();
        if (state == State.WAITING) {
            attempt = null;
            leaveAll();
            deafen();
            end(Answer.State.GONE, null);
            finish();
            outcome.complete(answers.none(Answer.State.LEFT, null));
        } else if (state == State.LEAVING && departure != null) {
            left(departure.outcome(), outcome);
        } else {
            state = State.LEAVING;
            departure = new Departure(quorum, shares, deadline, how -> left(how, outcome));
            departure.send(enter.resource(), onMembers, expiry());
            if (wanted) {
                store.bells().ring(enter.resource());
            }
        }
        return outcome;
    }

    private void left(Answer.State how, CompletableFuture<Answer> outcome) {
        if (how == Answer.State.WAITING) {
            quorum.later(expiry() - quorum.clock.nanos(), this::finish);
            outcome.completeExceptionally(StoreException.unreachable(store.trouble(), null));
        } else {
            finish();
            outcome.complete(answers.none(how, null));
        }
    }

    private void leaveAll() {
        for (Member member : quorum.members) {
            Share share = shares.length == 0 ? null : shares[member.index];
            if (share != null && share.there) {
                Request.Leave leave = new Request.Leave(enter.resource(), onMembers, share.unclear);
                member.leave(leave, expiry(), answer -> {});
                share.clear();
            }
        }
    }

    /** When whatever it has on a member has expired at the latest, in nanoseconds. */
    private long expiry() {
        return quorum.clock.nanos() + Math.max(enter.lease(), enter.hold()) * 1000;
    }

    private void finish() {
        state = State.ENDED;
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

    /** Ends it by the answer to its enter, if that is still open. */
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

    /** Why it cannot be said how it stands; empty if it can. */
    String trouble() {
        return state == State.WAITING ? trouble : "";
    }

    /** How it stands. */
    Answer present() {
        return present(null);
    }

    Answer present(@Nullable String refusal) {
        return switch (state) {
            case HELD -> answers.granted(sequence, deadline, wanted, refusal);
            case WAITING -> answers.waiting(sequence, enter.lease(), refusal);
            case LEAVING, ENDED -> answers.none(Answer.State.GONE, refusal);
        };
    }

    private void push(boolean granted) {
        store.push(new Push(
                enter.resource(),
                enter.id(),
                sequence,
                granted,
                granted && wanted,
                quorum.micros(),
                granted ? deadline : 0,
                Answers.RUN));
    }

    private long majorityUntil() {
        return quorum.ofMajority(Arrays.stream(shares)
                .mapToLong(share -> share.there ? share.until : 0)
                .toArray());
    }
}
