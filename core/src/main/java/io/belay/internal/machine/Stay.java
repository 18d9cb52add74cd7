package io.belay.internal.machine;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Confirmation;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stay of one claim in the store's queue: what is believed of it, what was sent, and what is to be sent next. Plain data
 * with the rules of what an answer or a push means; what follows from that the {@link Machine} decides.
 *
 * <p>The store's answer takes it from ENTERING to WAITING or HELD; a push or an answer from WAITING to HELD; the client's yield
 * from HELD to YIELDING, and the answer to that, or a push, to WAITING or HELD again, under a new sequence. OVER is final: the
 * claim counts no longer, though its leave may still be on its way.
 *
 * <p>The rules, most of which a test takes out to see the search fail:
 *
 * <ul>
 *   <li>an answer or push about an older sequence changes nothing;
 *   <li>for one sequence, granted beats waiting, whichever comes last;
 *   <li>while a yield is on its way only a newer sequence counts;
 *   <li>the local deadline counts from <em>before the last answered request was sent</em>, never from receipt;
 *   <li>the answer to a request that was sent later than all that were answered counts also where it brings the deadline nearer;
 *   <li>where the wall clock ran ahead of nanoTime meanwhile, as in a suspended machine, the deadline is unsure until a
 *       request that was sent afterwards is answered, and that answer may bring it nearer;
 *   <li>a push of a server run that has not answered for this claim, or of a sequence that no answer has named, is a hint to
 *       ask, no more;
 *   <li>no lease is believed to be longer than was asked for, and a push that shows that the store's clock was put
 *       ahead is a hint to ask: a clock that jumps lengthens no lease;
 *   <li>a renewal that fewer replicas have than are asked for moves no deadline, and makes none sure: its master may
 *       have been replaced;
 *   <li>while an earlier end is asked for it is believed already, and an answer that knows of fewer changes than were asked
 *       for moves no deadline: it may show a later one that was given up since. One to what was asked after the changes were
 *       answered is believed, as the store has gone back: a weight is asked for anew then, and one that was raised is lost;
 *   <li>a claim once held that the store does not list as granted is lost, and lost is final.
 * </ul>
 *
 * <p>Local instants are {@link System#nanoTime()} values, store times are microseconds. The phase, what is known, the
 * confirmation and the weight may be read by anybody.
 */
public final class Stay {
    /** The least time from a request to the next one, in nanoseconds, while too few replicas have what was answered. */
    private static final long RETRY = 100_000_000;

    /** The time from a request whose answer was not enough to the next one, in nanoseconds. */
    private static final long ASK_AGAIN = 20_000_000;

    private static final Present NOBODY = new Present("", "", 0, "");

    public final ClaimId id;
    public final String resource;
    final ClaimSpec spec;
    /** Whether it has a fixed lease, which is picked up once and never renewed. */
    public final boolean isFixed;

    private final Owner shown;
    final InFlight inFlight = new InFlight();
    /** The changes of its weight or its end; null before the first. */
    volatile @Nullable Changes<Caller.Ticket> changing;

    /** Those who wait for the next answer of any kind; null while nobody does. */
    @Nullable
    List<Caller.Ticket> askers;

    // What is believed.
    volatile Phase phase = Phase.ENTERING;

    volatile @Nullable Known known;

    private volatile @Nullable Confirmation confirmation;
    long sequence;
    /** The number of times that the lock was handed on under that sequence. */
    int handOffs;
    /** When the phase began, and the number of the last request before: later ones have asked for what is believed now. */
    long since;

    private int sinceRequest;
    /** The number of times that the enter was sent. */
    int enters = 1;
    /** Whether the store has said that it did not take the enter. */
    private boolean isTurnedAway;
    /** The instant at which to ask next. */
    long askAt = Caller.NEVER;
    /** Whether an answer, not only a push, has told the grant. */
    boolean isConfirmed;

    /** True if others are to have the lock, of this client or another, as was heard since the claim was entered, or yielded. */
    boolean isWanted;

    /** The last request before a push told what no answer had: the answers up to it may be older than that. 0 for none. */
    int hinted;

    /** Why it is lost, if it is. */
    Loss loss = Loss.NOT_LISTED;

    @Nullable
    String refusal;
    /** How many changes of its weight or of its end are known of, or waited for. */
    int changesKnown;
    /** The longest lease that was asked for, in microseconds. */
    private long longest;

    // What is sent.
    /** The terms by which it enters. */
    private final ClaimSpec first;

    /** How many tokens there are in what it is granted at a time. */
    private final int tokens;
    /**
     * Until when it stays taken at least, as somebody has asked for who has given back; never if nobody has. Each renewal has it
     * last so long.
     */
    long keptUntil = Caller.NEVER;

    @Nullable
    Present described;
    /** The earliest of the fixed ends by which it is renewed; never if it is not renewed by these. */
    long outlivesUntil = Caller.NEVER;
    /** The latest end that the store was ever asked to give it, as far as that is not its usual lease. */
    private long latestEnd;

    // How it ends.
    /** Who waits for the outcome of the leave. */
    @Nullable
    Caller leaver;

    /** The number of leaves that were sent. */
    int leaves;

    /** Whether an enter counts as given up. */
    boolean isUnclearTold;

    boolean isEnded;

    /**
     * Makes a claim whose grant stands for that long at least, in microseconds, as its first renewal may come too late, and a fixed
     * lease has none. While it waits it has its usual lease: who dies before it is granted is to be in nobody's way for longer.
     */
    Stay(ClaimId id, Terms terms, boolean ifFree, long atLeast, Owner shown, long now) {
        this.id = id;
        resource = terms.name;
        spec = ifFree ? terms.spec.withIfFree(true) : terms.spec;
        isFixed = terms.isFixed;
        this.shown = shown;
        tokens = terms.tokens;
        first = atLeast > (isFixed ? spec.fixedLease() : spec.lease()) ? spec.withFixedLease(atLeast) : spec;
        // Where it is not fixed its holder counts on its renewals alone.
        longest = Math.max(spec.lease(), isFixed ? first.fixedLease() : 0);
        since = now;
        latestEnd = now;
    }

    /** Returns whether any request of it was sent. */
    public boolean isSent() {
        return inFlight.number > 0;
    }

    /** Returns whether it waits where the lock is not free. */
    public boolean queues() {
        return !spec.ifFree();
    }

    public long sequence() {
        return sequence;
    }

    public @Nullable Known known() {
        return known;
    }

    /** Returns the number of replicas that had the last answer, and how many were asked for; null where nobody asks. */
    public @Nullable Confirmation confirmation() {
        return confirmation;
    }

    /** Returns the weight that those who hold may count on. */
    public int weight() {
        return changing == null ? spec.weight() : changing.weight;
    }

    /** Returns when the lease ends by the local clock; of no use before it is known. */
    public long until() {
        return known == null ? 0 : known.until();
    }

    boolean isHeld() {
        return phase == Phase.HELD;
    }

    boolean isOver() {
        return phase == Phase.OVER;
    }

    // What an answer, a push or the passing of time means.

    /** Notices that the lease has ended, if it has; returns whether that is so. */
    boolean noticesExpiry(long now) {
        if (phase != Phase.HELD || (known != null && now - known.until() < 0)) {
            return false;
        }
        loss = isFixed ? Loss.OVER : Loss.NOT_RENEWED;
        return true;
    }

    /** Returns whether the end may be nearer than nanoTime shows, as the machine may have been suspended since. */
    public boolean isUnsure(long wallOffset) {
        return known != null && known.isOvertaken(wallOffset);
    }

    /** Returns whether so much of the lease is left, surely. */
    boolean isSureFor(long nanos, long now, long wallOffset) {
        return known != null && known.until() - now >= nanos && !known.isOvertaken(wallOffset);
    }

    News answered(Answer answer, Sent sent, long now) {
        Answer.State state = answer.state();
        return switch (state) {
            case GONE, LEFT -> gone(Loss.NOT_LISTED);
            case BUSY, BEHIND -> turnedAway(News.BUSY);
            case REFUSED -> {
                refusal = answer.refusal();
                yield turnedAway(News.REFUSED);
            }
            case GRANTED, WAITING -> told(answer, state == Answer.State.GRANTED, sent, now);
        };
    }

    private News turnedAway(News how) {
        if (phase != Phase.ENTERING) {
            return News.NOTHING;
        }
        isTurnedAway = true;
        return how;
    }

    private News gone(Loss why) {
        loss = why;
        return News.GONE;
    }

    private News told(Answer answer, boolean granted, Sent sent, long now) {
        int number = sent.number();
        boolean asked = number > sinceRequest; // only then does the answer show a state after what is believed now
        long told = answer.sequence();
        if (told < sequence) {
            return asked ? gone(Loss.WENT_BACK) : News.NOTHING;
        }
        boolean same = told == sequence;
        boolean yields = same && phase == Phase.YIELDING;
        if (yields && granted) {
            return News.NOTHING;
        }
        if (!granted && (yields || phase == Phase.HELD)) {
            return !same || asked ? gone(Loss.UNDONE) : News.NOTHING;
        }
        confirmation = answer.confirmation();
        News news = granted ? held(answer, phase == Phase.HELD && same, sent, now) : waiting(answer, sent, now);
        if (number > hinted) {
            hinted = 0;
        } else {
            askAt = now; // what a push has told since may be newer
        }
        return news;
    }

    private News held(Answer answer, boolean same, Sent sent, long now) {
        Known before = known;
        Known last = latest(answer, sent);
        long at = sent.at();
        int reweights = answer.reweights();
        // An answer may know of fewer changes than were asked for; else the store has gone back to before one that it
        // had made.
        boolean older = reweights < changesKnown && (changing == null || changing.mayBeUnknownTo(sent.number()));
        if (same && changing != null && changing.isRaised() && changing.isUndone(answer, sent.number())) {
            return gone(Loss.WENT_BACK); // others may be let in beside it
        }
        long end = last.end(answer.deadline(), longest);
        long wallOffset = last.wallOffset();
        boolean renews = phase == Phase.HELD && isConfirmed; // not so a pick-up, which is as good as an enter
        Confirmation replicas = confirmation;
        boolean tooFewReplicas = replicas != null && replicas.isShort();
        // Then what was believed so far may be too long.
        boolean unsure = before != null && last != before && before.isOvertaken(wallOffset);
        if ((same && older) || (renews && tooFewReplicas)) {
            end = unsure && until() - end > 0 ? end : until();
            wallOffset = unsure && before != null ? before.wallOffset() : wallOffset;
        } else if (same && !unsure && last == before && until() - end > 0) {
            end = until(); // as an earlier request's answer knows less
        }
        known = last.with(wallOffset, end);
        askAt = isFixed ? Caller.NEVER : at + Math.max((end - at) / 3, tooFewReplicas ? RETRY : 0);
        isConfirmed = true;
        isWanted |= answer.waiters() > 0;
        changesKnown = older ? changesKnown : reweights;
        return begin(answer.sequence(), same, now);
    }

    private News begin(long newSequence, boolean same, long now) {
        boolean begins = phase != Phase.HELD;
        sequence = newSequence;
        if (!same) {
            handOffs = 0;
            enterPhase(Phase.HELD, now);
        }
        return begins ? News.GRANTED : News.NOTHING;
    }

    private void enterPhase(Phase next, long now) {
        phase = next;
        since = now;
        sinceRequest = inFlight.number;
    }

    /** Returns the last answered request with this one: what is known already if that was sent later. */
    private Known latest(Answer answer, Sent sent) {
        Known last = known;
        return last != null && last.server() == answer.server() && last.sent() - sent.at() > 0
                ? last
                : new Known(
                        sent.at(), sent.wallOffset(), answer.time(), answer.server(), last == null ? 0 : last.until());
    }

    private News waiting(Answer answer, Sent sent, long now) {
        long end = sent.at() + Known.localNanos(Math.min(answer.deadline() - answer.time(), longest));
        known = latest(answer, sent).withUntil(end);
        // A grant to somebody dead shortens the wait without a word to those behind: they ask often enough to notice.
        // Those far
        // behind need not, and a store that thousands ask would do nothing else.
        askAt = sent.at() + Math.min((end - sent.at()) / 3, Resource.PICK_UP * 1000 * (1 + answer.place() / 64));
        if (answer.expiry() > 0) {
            long expiry = sent.at() + (answer.expiry() - answer.time()) * 1000 + answer.place() * 100_000_000L;
            askAt = Math.min(askAt, expiry);
        }
        isConfirmed = false;
        sequence = answer.sequence();
        if (phase != Phase.WAITING) {
            enterPhase(Phase.WAITING, now);
        }
        return News.NOTHING;
    }

    News pushed(Push push, long now) {
        long told = push.sequence();
        if (told < sequence) {
            return News.NOTHING;
        }
        Known last = known;
        // Nothing was answered yet, or not by that server, or its clock was put ahead.
        if (last == null || push.server() != last.server() || last.isOutrun(push.time(), now)) {
            return hinted(now);
        }
        boolean newer = told > sequence;
        if (!push.granted()) {
            Loss why = push.deadline() == 0 ? Loss.TAKEN : isHeld() ? Loss.EXPIRED : Loss.NOT_LISTED;
            return newer || phase == Phase.YIELDING ? hinted(now) : gone(why);
        }
        // While a yield is on its way only the grant of the new place counts. At other times a newer sequence is one
        // that no answer has told of yet.
        if (newer != (phase == Phase.YIELDING)) {
            return newer ? hinted(now) : News.NOTHING;
        }
        isWanted |= push.wanted();
        if (phase == Phase.HELD) {
            return News.NOTHING;
        }
        long end = last.end(push.deadline(), longest);
        known = last.withUntil(end);
        askAt = isFixed ? now : now + (end - now) / 3;
        isConfirmed = false;
        return begin(told, false, now);
    }

    private News hinted(long now) {
        hinted = inFlight.number;
        if (phase != Phase.ENTERING) {
            askAt = now;
        }
        return News.NOTHING;
    }

    /** Returns whether a push has told what only an answer can, and none is under way. */
    boolean isToBeAskedAtOnce(long now) {
        return hinted > 0 && askAt != Caller.NEVER && askAt - now <= 0 && !inFlight.underWay && phase != Phase.OVER;
    }

    // What the client does.

    void yield(long now) {
        isConfirmed = false;
        isWanted = false;
        askAt = Caller.NEVER;
        enterPhase(Phase.YIELDING, now);
    }

    void end(long now) {
        askAt = Caller.NEVER;
        enterPhase(Phase.OVER, now);
    }

    /** Returns whether it is to be asked for at once, or notes that it is in a moment, as it has just been in vain. */
    boolean asksNow(long now) {
        if (inFlight.underWay || !isSent()) {
            return false;
        }
        Known last = known;
        long at = last != null && last.sent() - since > 0 ? last.sent() + ASK_AGAIN : now;
        if (at - now > 0) {
            askAt = Caller.earlier(at, askAt);
        }
        return at - now <= 0;
    }

    /** Takes the answer to the only enter of a claim that was given up before: it shows what there is to leave. */
    void enteredInVain(Answer answer, Sent sent) {
        switch (answer.state()) {
            case GRANTED, WAITING -> known = latest(answer, sent);
            case BUSY, BEHIND, REFUSED -> isTurnedAway = true;
            case GONE, LEFT -> {}
        }
    }

    /** Notes under which sequence it was left. */
    boolean resequence(long last) {
        boolean later = last > sequence;
        sequence = later ? last : sequence;
        return later;
    }

    /** Returns whether an enter may still be on its way to the store when its leave gets there. */
    public boolean isUnclear() {
        return enters > 1 || (known == null && !isTurnedAway);
    }

    /** Returns whether nothing new is known of the resource, as the last request is not answered. */
    boolean isOutOfTouch() {
        return phase == Phase.ENTERING || inFlight.failures > 0 || inFlight.underWay;
    }

    /** Returns until when the answer may be missing just because it takes its time. */
    long answerDueUntil(long patience) {
        return isSent() ? inFlight.dueUntil : since + patience;
    }

    /** Returns whether the answer is missing, and may be so for that reason alone. */
    boolean isAnswerDue(long now, long patience) {
        boolean mayCome = inFlight.failures == 0 && (inFlight.underWay || !isSent());
        return mayCome && now - answerDueUntil(patience) < 0;
    }

    /** Returns whether the store has let it expire by now, whatever it knows of it. */
    boolean hasSurelyExpired(long now) {
        return now - since > Math.max(spec.lease(), first.fixedLease()) * 1000 && now - latestEnd > 0;
    }

    // What is asked for.

    /** Returns the changes of its weight or its end, of which one is about to be asked for. */
    Changes<Caller.Ticket> changing() {
        changing = changing == null ? new Changes<>(spec.weight(), changesKnown) : changing;
        return changing;
    }

    /** Returns whether a request for another end is to be sent, or sent again. */
    boolean isEndPending() {
        return changing != null && changing.waiting != null;
    }

    /** Has somebody told at the next answer. */
    void ask(Caller.Ticket ticket) {
        askers = askers == null ? new ArrayList<>(1) : askers;
        askers.add(ticket);
    }

    /** Has it renewed so that it ends no sooner than then, nor than others have asked for. */
    void keepUntil(long instant) {
        keptUntil = keptUntil == Caller.NEVER || instant - keptUntil > 0 ? instant : keptUntil;
        lasts(instant);
    }

    /**
     * Has it renewed by fixed ends, the first of them then or later: so it stands also where a client's death is noticed. Of a fixed
     * lease that is the only one.
     */
    void outlive(long instant, long now) {
        outlivesUntil = instant;
        fixForALease(now);
    }

    /** Asks for an end a lease from now, or for a later one. */
    void fixForALease(long now) {
        long end = now + (isFixed ? spec.fixedLease() : spec.lease()) * 1000;
        fix(end - outlivesUntil < 0 ? outlivesUntil : end, null);
    }

    void fix(long end, Caller.@Nullable Ticket ticket) {
        lasts(end);
        changing().fix(end, ticket);
    }

    private void lasts(long end) {
        latestEnd = end - latestEnd > 0 ? end : latestEnd;
    }

    /** Believes the end that is asked for: an earlier one counts at once, a later one once an answer knows of it. */
    void believeFix(long now) {
        long lease = changing().lease(now);
        long end = now + Known.localNanos(lease);
        longest = Math.max(longest, lease);
        Known last = known;
        if (last != null && until() - end > 0) {
            known = last.withUntil(end);
        }
        changesKnown = changing().number;
    }

    // Its requests.

    /** Returns the request that the phase calls for. Of two changes of the claim one is made after the other. */
    Request next(int localWaiters, long now) {
        Changes<Caller.Ticket> mine = changing;
        return switch (phase) {
            case ENTERING -> Request.Enter.of(resource, id, first, localWaiters, shown);
            case WAITING, HELD -> {
                Request change = mine == null ? null : mine.request(resource, id, sequence, now);
                yield change == null ? renewal(localWaiters, now) : change;
            }
            case YIELDING -> Request.Yield.of(resource, id, sequence, spec.lease(), localWaiters);
            case OVER -> {
                boolean ends = isEndPending() && !changing().isOver(now);
                Request change = ends ? changing().request(resource, id, sequence, now) : null;
                yield change == null ? Request.Leave.of(resource, id, isUnclear()) : change;
            }
        };
    }

    /** Returns the request to renew it, and to give it another sequence if nobody else waits, where half its tokens are used up. */
    Request.Renew renewal(int localWaiters, long now) {
        long lease = keptUntil == Caller.NEVER ? spec.lease() : Math.max(spec.lease(), (keptUntil - now + 999) / 1000);
        return Request.Renew.of(resource, id, sequence, lease, localWaiters, handOffs >= tokens / 2);
    }

    /**
     * Returns the request that shows who has the lock now, where that is not what was shown last; null if it is, or if nobody
     * knows the store's time.
     */
    Request.@Nullable Describe description(@Nullable Present now) {
        Known last = known;
        Present shows = now == null ? NOBODY : now;
        if (last == null || shows.equals(described)) {
            return null;
        }
        described = shows;
        long begun = now == null ? 0 : Math.max(1, last.time() + (now.since() - last.sent()) / 1000);
        Owner owner = shown.withThread(shows.thread(), shows.behalf())
                .withNote(shows.note())
                .withSince(begun);
        return Request.Describe.of(resource, id, sequence, owner);
    }

    /** Returns the request that takes back what others were told of a wait; null if they were told of none. */
    Request.@Nullable Describe unnoted() {
        Present last = described;
        return last == null || last.note().isEmpty()
                ? null
                : description(new Present(last.thread(), last.behalf(), last.since(), ""));
    }

    /** Returns when there is something to do, if nothing is heard before. */
    long due(ClientContext client) {
        boolean asked = inFlight.underWay;
        boolean held = phase == Phase.HELD;
        Known last = known;
        long at = asked ? inFlight.resendAt : phase == Phase.OVER ? since : askAt;
        if (!asked && last != null && (phase == Phase.WAITING || (held && isFixed))) {
            at = client.askNoLaterThan(at, last.sent(), held ? spec.fixedLease() * 1000 : 0);
        }
        if (held && last != null) {
            boolean ends = at == Caller.NEVER || at - last.until() > 0;
            return ends ? last.until() : asked ? at : client.renewTogether(at, last.sent());
        }
        return leaver == null ? at : Caller.earlier(at, awaitedUntil(client));
    }

    /** Returns until when whoever gives the lock back is kept waiting for the store: time enough to ask it twice. */
    long awaitedUntil(ClientContext client) {
        return since + 2 * client.requestTimeout();
    }
}
