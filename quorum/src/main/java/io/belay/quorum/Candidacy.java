package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import java.util.Arrays;

/** A stay of a claim on the members, under an id of its own. */
final class Candidacy {
    private final Quorum quorum;
    private final Request.Enter enter;
    final ClaimId id;
    final Vote[] votes;
    private Owner owner;

    /** Makes a stay of the claim that the engine asked for by {@code enter}, with the owner that is shown now. */
    Candidacy(Quorum quorum, Request.Enter enter, Owner owner, ClaimId id) {
        this.quorum = quorum;
        this.enter = enter;
        this.owner = owner;
        this.id = id;
        votes = new Vote[quorum.size];
        Arrays.setAll(votes, i -> new Vote());
    }

    Request.Enter request(long hold, long proposed) {
        return new Request.Enter(
                enter.resource(),
                id,
                ClaimSpec.whole(enter.spec().lease())
                        .withFixedLease(hold)
                        .withIfFree(true)
                        .withSticky(true),
                enter.localWaiters(),
                owner,
                proposed);
    }

    Request.Renew renewal(Request.Renew wish, long sequenceThere) {
        long lease = Math.min(wish.lease(), quorum.longestMicros);
        return new Request.Renew(wish.resource(), id, sequenceThere, lease, wish.localWaiters(), wish.fresh());
    }

    /**
     * Enters the claim on members that have lost it, or never had it, so that a long hold outlives them all in turn.
     * The next renewal tells whether that is a vote.
     *
     * @param sequence what the claim is held under: below that it is not entered
     * @param floors is told the least sequences that members take
     */
    void reenter(long sequence, long[] floors) {
        for (Member member : quorum.members) {
            Vote vote = votes[member.index];
            if (vote.there || member.store() == null) {
                continue;
            }
            long proposed = Math.max(sequence, quorum.propose(enter.spec().lease(), floors));
            vote.entering(member.send(request(0, proposed), answer -> {
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
                member.send(new Request.Describe(enter.resource(), id, vote.sequence, shown), answer -> {});
            }
        }
    }

    void leaveAll() {
        for (Member member : quorum.members) {
            Vote vote = votes[member.index];
            if (vote.there) {
                Request.Leave leave = new Request.Leave(enter.resource(), id, vote.isUnclear());
                member.leave(leave, expiry(), answer -> {});
                vote.clear();
            }
        }
    }

    /** Returns when whatever the stay has on a member has expired at the latest, in nanoseconds. */
    long expiry() {
        return quorum.clock.nanos()
                + Math.max(enter.spec().lease(), enter.spec().fixedLease()) * 1000;
    }

    /** Returns until when a majority promises the lock, in the quorum's microseconds; 0 for no majority. */
    long until() {
        return quorum.ofMajority(Arrays.stream(votes)
                .mapToLong(vote -> vote.there ? vote.until : 0)
                .toArray());
    }
}
