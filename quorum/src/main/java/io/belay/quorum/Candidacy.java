package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.support.Moment;
import java.util.Arrays;
import java.util.function.Consumer;

/** A stay of a claim on the members, under an id of its own. */
final class Candidacy {
    private final Quorum quorum;
    private final Request.Enter enter;
    final ClaimId id;
    final Vote[] votes;
    private Owner owner;
    /** The longest time for which anything of the stay may be on a member, in microseconds. */
    private long longest;
    /** The number of changes of the end that a majority has, and the number that was asked for. */
    private int fixes;

    private int asked;

    /** Makes a stay of the claim that the engine asked for by {@code enter}, with the owner that is shown now. */
    Candidacy(Quorum quorum, Request.Enter enter, Owner owner, ClaimId id) {
        this.quorum = quorum;
        this.enter = enter;
        this.owner = owner;
        this.id = id;
        longest = Math.max(enter.spec().lease(), enter.spec().fixedLease());
        votes = new Vote[quorum.size];
        Arrays.setAll(votes, i -> new Vote());
    }

    Request.Enter request(long hold, long proposed) {
        return request(enter.spec().lease(), hold, proposed);
    }

    private Request.Enter request(long lease, long hold, long proposed) {
        return Request.Enter.of(
                        enter.resource(),
                        id,
                        ClaimSpec.whole(lease)
                                .withFixedLease(hold)
                                .withIfFree(true)
                                .withSticky(true),
                        enter.localWaiters(),
                        owner)
                .withProposed(proposed);
    }

    Request.Renew renewal(Request.Renew wish, long sequenceThere) {
        long lease = Math.min(wish.lease(), quorum.longestMicros);
        return Request.Renew.of(wish.resource(), id, sequenceThere, lease, wish.localWaiters(), wish.fresh());
    }

    /**
     * Enters the claim on members that have lost it, or never had it, so that a long hold outlives them all in turn.
     * The next renewal, or the next round that fixes the end, tells whether that is a vote.
     *
     * @param lease for how long, in microseconds
     * @param sequence what the claim is held under: below that it is not entered
     * @param floors is told the least sequences that members take
     */
    void reenter(long lease, long sequence, long[] floors) {
        for (Member member : quorum.members) {
            Vote vote = votes[member.index];
            if (vote.there || member.store() == null) {
                continue;
            }
            long proposed = Math.max(sequence, quorum.propose(enter.spec().lease(), floors));
            vote.entering(member.send(request(lease, 0, proposed), answer -> {
                if (answer != null) {
                    vote.there = answer.state() == Answer.State.GRANTED;
                    vote.sequence = answer.sequence();
                    floors[member.index] = Math.max(floors[member.index], answer.sequence());
                }
            }));
        }
    }

    /** Shows another owner wherever the claim is. Who does not hear of it goes on to show the one before. */
    void describe(Owner shown) {
        owner = shown;
        for (Member member : quorum.members) {
            Vote vote = votes[member.index];
            if (vote.there) {
                member.send(Request.Describe.of(enter.resource(), id, vote.sequence, shown), answer -> {});
            }
        }
    }

    /**
     * Fixes the end wherever the claim is. Members that miss an earlier end keep the later one: that keeps others out for
     * longer, and harms nobody.
     */
    void fix(Request.Fix wish, Consumer<FixRound> then) {
        asked = Math.max(asked, wish.reweights() + 1);
        longest = Math.max(longest, wish.lease());
        new FixRound(quorum, wish, this, round -> {
                    fixes = round.isMade() ? Math.max(fixes, wish.reweights() + 1) : fixes;
                    then.accept(round);
                })
                .send();
    }

    /** Returns whether a request to fix the end is older than one that was sent, or is made. */
    boolean isOutdated(Request.Fix wish) {
        return wish.reweights() + 1 < asked || wish.reweights() < fixes;
    }

    boolean isToBeFixed() {
        return asked > 0;
    }

    /** Returns whether a majority has a fixed end of the claim, which is renewed no more. */
    boolean isFixed() {
        return fixes > 0;
    }

    /** Returns the number of changes of the end that a majority has. */
    int fixes() {
        return fixes;
    }

    void leaveAll() {
        for (Member member : quorum.members) {
            Vote vote = votes[member.index];
            if (vote.there) {
                Request.Leave leave = Request.Leave.of(enter.resource(), id, vote.isUnclear());
                member.leave(leave, expiry(), answer -> {});
                vote.clear();
            }
        }
    }

    /** Returns when whatever the stay has on a member has expired at the latest, in nanoseconds. */
    long expiry() {
        return quorum.clock.nanos() + longest * 1000;
    }

    /**
     * Notes what a server promises through a member. Where it has promised through another one before, that promise is
     * the one which is renewed: the member was led there, and the server that it had goes on to promise what it did.
     */
    void promise(Member member, PromisedEnd until, long server) {
        Vote own = votes[member.index];
        for (Vote other : votes) {
            if (other != own && other.there && server != 0 && other.server == server) {
                other.promise(until, server);
                return;
            }
        }
        own.promise(until, server);
    }

    /** Returns until when a majority promises the lock; no promise if there is no majority. */
    PromisedEnd until() {
        Moment now = quorum.clock.moment();
        long[] until = new long[votes.length];
        for (int i = 0; i < votes.length; i++) {
            until[i] = votes[i].there ? votes[i].until.by(now) : 0;
            for (int before = 0; before < i; before++) {
                if (votes[i].server != 0 && votes[i].server == votes[before].server) { // it has one vote
                    until[i] = Math.max(until[i], until[before]);
                    until[before] = 0;
                }
            }
        }
        return new PromisedEnd(quorum.ofMajority(until), now);
    }
}
