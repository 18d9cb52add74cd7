package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.support.Moment;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A try to enter a claim on all members, now or not at all. Behind each enter goes the question how the member
 * stands: a claim on a member that may have forgotten another claim is no vote.
 */
final class Attempt extends Round {
    /** The outcome of an attempt. */
    enum Result {
        WON,
        /** The lock is taken, or several claims want it at once, or too many members are young. */
        BUSY,
        /** The lock might be had with another sequence. */
        BEHIND,
        REFUSED,
        /** Fewer members than a majority have answered. */
        UNREACHABLE
    }

    /** The least time for which a try waits for a vote that may yet come, in nanoseconds. */
    private static final long LEAST_WAIT = 1_000_000;

    private enum Said {
        NOTHING,
        VOTE,
        BUSY,
        BEHIND,
        YOUNG,
        REFUSED,
        FAILED
    }

    private final Request.Enter request;
    private final long[] floors;
    private final boolean tries;
    private final Consumer<Attempt> then;
    private final Moment begun;
    private final @Nullable Answer[] entered;
    private final Said[] said;
    /** The times at which members will have room, in nanoseconds from the start of the attempt. */
    private final long[] freeIn;

    private final Vote[] votes;
    private final Ballot ballot = new Ballot();
    private Result result = Result.BUSY;
    private @Nullable String refusal;
    /** The time until the last answer of a member, in nanoseconds. */
    private long trip;
    /** True once the wait for those that have not answered was given an end, as other claims have members. */
    private boolean isLimited;
    /** True once that end has come. */
    private boolean hasWaited;
    /** Whether the members that are slow are waited for no longer, as another proposal may well be quicker. */
    private boolean isHurried;

    /**
     * @param request what every member is asked
     * @param votes what becomes of the claim at each member
     * @param floors is told the least sequences that members take
     * @param tries whether that is all that the claim does; else it waits, and will try again
     */
    Attempt(Quorum quorum, Request.Enter request, Vote[] votes, long[] floors, boolean tries, Consumer<Attempt> then) {
        super(quorum);
        this.request = request;
        this.tries = tries;
        this.floors = floors;
        this.then = then;
        begun = quorum.clock.moment();
        entered = new @Nullable Answer[quorum.size];
        said = new Said[quorum.size];
        Arrays.fill(said, Said.NOTHING);
        freeIn = new long[quorum.size];
        Arrays.fill(freeIn, Long.MAX_VALUE);
        this.votes = votes;
    }

    void send() {
        for (Member member : quorum.members) {
            if (member.isWell()) {
                enter(member);
            } else {
                member.standing(standing -> known(member, standing));
            }
        }
        await();
    }

    /** Enters the claim on a member that was in trouble once that answers: what never comes there need not be ended there. */
    private void known(Member member, Member.@Nullable Standing standing) {
        if (standing == null) {
            said[member.index] = Said.FAILED;
        }
        if (standing == null || isDecided()) {
            heard(member);
        } else {
            enter(member);
        }
    }

    private void enter(Member member) {
        StandingQuestion question = new StandingQuestion(member, 1, standing -> stands(member, standing));
        votes[member.index].entering(member.send(request, answer -> {
            entered(member, answer);
            question.answered();
        }));
        question.ask();
    }

    private void entered(Member member, @Nullable Answer answer) {
        Vote vote = votes[member.index];
        entered[member.index] = answer;
        if (answer != null) {
            vote.there = answer.state() == Answer.State.GRANTED;
            vote.sequence = answer.sequence();
            trip = quorum.clock.nanos() - begun.nanos();
        }
        Said what = answer == null ? Said.FAILED : said(member.index, answer);
        if (what != Said.NOTHING) {
            said[member.index] = what;
            heard(member);
        }
    }

    /** Returns what an answer says by itself; {@code NOTHING} if that depends on how the member stands. */
    private Said said(int i, Answer answer) {
        switch (answer.state()) {
            case GRANTED:
                return answer.sequence() == request.proposed() ? Said.NOTHING : Said.FAILED;
            case BUSY:
                freeIn[i] = Math.max(0, answer.expiry() - answer.time()) * 1000;
                return Said.BUSY;
            case BEHIND:
                floors[i] = answer.sequence();
                if (request.proposed() < floors[i]
                        && floors[i] <= quorum.propose(request.spec().lease(), floors)) {
                    hurry(); // unless the member's clock is so wrong that it will not take the next proposal either
                }
                return Said.BEHIND;
            case REFUSED:
                refusal = answer.refusal();
                return Said.REFUSED;
            default:
                return Said.FAILED;
        }
    }

    private void hurry() {
        quorum.shortly(() -> {
            isHurried = true;
            look();
        });
    }

    private void stands(Member member, Member.@Nullable Standing standing) {
        int i = member.index;
        Answer answer = entered[i];
        if (said[i] != Said.NOTHING) {
            return;
        }
        if (standing == null || answer == null) {
            said[i] = Said.FAILED;
        } else if (!member.counts(standing, answer.server())) {
            said[i] = Said.YOUNG;
            freeIn[i] = Math.max(0, quorum.longestMicros - standing.age()) * 1000;
        } else if (ballot.counts(member, standing, answer.server())) {
            said[i] = Said.VOTE;
            freeIn[i] = 0;
            votes[i].promise(quorum.promised(begun, answer), answer.server());
        } else {
            said[i] = Said.FAILED;
        }
        heard(member);
    }

    @Override
    boolean decide() {
        int had = count(Said.VOTE);
        int hadNextTime = had + count(Said.BEHIND);
        boolean isContended = count(Said.BUSY) > 0;
        // A vote that is kept for the sake of a silent member may be just what another one lacks.
        boolean isSplit = !tries && had > 0 && isContended;
        // A vote that is yet to come shows that nobody may have a majority.
        boolean isUnheard = tries
                && had == 0
                && isContended
                && quorum.members.stream().anyMatch(member -> isAwaited(member) && member.isWell());
        if (isSplit) {
            limit(quorum::shortly);
        } else if (isUnheard) {
            limit(step -> quorum.later(Math.max(LEAST_WAIT, quorum.clock.nanos() - begun.nanos()), step));
        }
        int hoped = (int) quorum.members.stream()
                .filter(member -> isAwaited(member) && !(isSplit && (hasWaited || !member.isWell())))
                .count();
        boolean mayWin = had < quorum.majority && had + hoped >= quorum.majority;
        boolean mayWinNextTime = hadNextTime < quorum.majority && hadNextTime + hoped >= quorum.majority;
        if ((mayWin || mayWinNextTime || (isUnheard && !hasWaited)) && !isHurried) {
            return false;
        }
        int mute = count(Said.FAILED) + count(Said.NOTHING) - awaited();
        if (had >= quorum.majority) {
            result = Result.WON;
        } else if (hadNextTime >= quorum.majority || isHurried) { // who is slow is not silent
            result = Result.BEHIND;
        } else if (mute > quorum.size - quorum.majority) {
            result = Result.UNREACHABLE;
        } else if (count(Said.REFUSED) > quorum.size - quorum.majority) {
            result = Result.REFUSED;
        }
        then.accept(this);
        return true;
    }

    private void limit(Consumer<Runnable> when) {
        if (!isLimited) {
            isLimited = true;
            when.accept(() -> {
                hasWaited = true;
                look();
            });
        }
    }

    private int count(Said what) {
        return (int) Arrays.stream(said).filter(one -> one == what).count();
    }

    /** Returns for how long it has been under way, in nanoseconds. */
    long age() {
        return quorum.clock.nanos() - begun.nanos();
    }

    Result result() {
        return result;
    }

    String refusal() {
        return String.valueOf(refusal);
    }

    /** Returns whether some members had room, so that others may just have been quicker. */
    boolean wasClose() {
        return count(Said.VOTE) > 0;
    }

    /** Returns whether this claim had some members of a majority and others the rest: there may be none that has one. */
    boolean wasSplit() {
        return wasClose() && count(Said.VOTE) + count(Said.BUSY) >= quorum.majority;
    }

    /** Returns whether so many members had no room that a majority was not to be had, whatever the others would say. */
    boolean wasTaken() {
        return !wasSplit() && count(Said.BUSY) + count(Said.YOUNG) > quorum.size - quorum.majority;
    }

    /** Returns how long the slowest of the members took that have answered, in nanoseconds. */
    long trip() {
        return trip;
    }

    /** Returns in how many nanoseconds from now a majority will have room, by what the members said. */
    long freeIn() {
        long[] sorted = freeIn.clone();
        Arrays.sort(sorted);
        return sorted[quorum.majority - 1] == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.max(0, sorted[quorum.majority - 1] - (quorum.clock.nanos() - begun.nanos()));
    }
}
