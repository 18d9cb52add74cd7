package io.belay.internal.claim;

import io.belay.LossReason;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Push;
import io.belay.spi.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A client's belief about one of its claims, with every decision that the client takes on an answer, a push or the
 * passing of time. It is a pure immutable value, so that the search over the whole protocol runs the very code that
 * runs in production.
 *
 * <p>The store's answer takes a claim from ENTERING to WAITING or HELD; a push or an answer from WAITING to HELD; the
 * client's yield from HELD to YIELDING, and the answer to that, or a push, to WAITING or HELD again, under a new
 * sequence. All other phases are final: the claim counts no longer, though its leave may still be on its way.
 *
 * <p>The rules, each of which a test takes out to see the search fail:
 *
 * <ul>
 *   <li>an answer or push about an older sequence changes nothing;
 *   <li>for one sequence, granted beats waiting, whichever comes last;
 *   <li>while a yield is on its way only a newer sequence counts;
 *   <li>the local deadline counts from <em>before the last answered request was sent</em>, never from receipt;
 *   <li>where the wall clock ran ahead of nanoTime meanwhile, as in a suspended machine, the deadline is unsure until a
 *       request that was sent afterwards is answered, and that answer may bring it nearer;
 *   <li>a push of a server run that has not answered for this claim is a hint to ask, no more;
 *   <li>no lease is believed to be longer than was asked for, and a push that shows that the store's clock was put
 *       ahead is a hint to ask: a clock that jumps lengthens no lease;
 *   <li>a renewal that fewer replicas have than are asked for moves no deadline, and makes none sure: its master may
 *       have been replaced;
 *   <li>while an earlier end is asked for it is believed already, and an answer that knows of fewer changes than were asked
 *       for moves no deadline: it may show a later one that was given up since;
 *   <li>a claim once held that the store does not list as granted is lost, and lost is final.
 * </ul>
 *
 * <p>Local instants are {@link System#nanoTime()} values, store times are microseconds.
 *
 * @param id the claim
 * @param spec what the claim asks for
 * @param phase the state that the client believes the claim to be in
 * @param sequence the sequence that the client believes the claim to have; 0 before the first answer
 * @param since when the phase began
 * @param enters how many times the claim's enter was sent
 * @param anchor the last answered request; null before the first answer
 * @param until when the lease ends by the local clock, the drift margin taken off
 * @param askAt when to ask the store next; {@link Long#MAX_VALUE} for never
 * @param confirmed whether an answer, not only a push, has told the grant
 * @param wanted whether another claim is known to want what this one holds
 * @param hint a push about a sequence that no answer has named yet: it counts once one does
 * @param reason why the claim is lost or refused, in words
 * @param changes how many changes of its weight or of its end the client knows of, or waits for
 */
public record Belief(
        ClaimId id,
        ClaimSpec spec,
        Phase phase,
        long sequence,
        long since,
        int enters,
        @Nullable Anchor anchor,
        long until,
        long askAt,
        boolean confirmed,
        boolean wanted,
        @Nullable Push hint,
        @Nullable String reason,
        int changes) {

    /** The least time from a request to the next one, in nanoseconds, while too few replicas have what was answered. */
    private static final long RETRY = 100_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    private static final String TAKEN = "it was taken away by force";
    private static final String NOT_LISTED = "the store no longer lists it";
    private static final String OVER = "its fixed lease is over";
    private static final String WENT_BACK = "the store went back to an earlier state";

    /** The state that a client believes a claim to be in. */
    public enum Phase {
        /** The client enters the claim, and has no answer yet. */
        ENTERING,
        /** The claim waits in the queue. */
        WAITING,
        /** The claim is granted, and may be used until the deadline, by a thread or by none. */
        HELD,
        /** The claim's yield was sent and is not answered; the claim is not held meanwhile. */
        YIELDING,
        /** The claim was held and is no longer. Final. */
        LOST,
        /** The claim was not held, and the store no longer has it, or never took it. Final. */
        GONE,
        /** The claim was to enter only if granted at once, and was not. Final. */
        BUSY,
        /** The store refused the claim. Final. */
        REFUSED,
        /** The store cannot take the claim, nor any other. Final. */
        FAILED,
        /** The client ended the claim, by a leave where the store may have something of it. Final. */
        LEFT;

        boolean isFinal() {
            return ordinal() >= LOST.ordinal();
        }
    }

    /**
     * The last answered request of a claim, from which the client counts the deadline.
     *
     * @param sent the instant before the request was sent
     * @param time the store's time in its answer
     * @param server the run of the server that answered
     * @param offset wall clock minus nanoTime at that instant, in milliseconds
     */
    public record Anchor(long sent, long time, long server, long offset) {
        /** Returns whether the wall clock has run ahead of nanoTime since by more than two clocks may differ. */
        boolean isOvertaken(long laterOffset, long until) {
            return laterOffset > offset + Drift.millis(until - sent);
        }

        private Anchor unsure(long from) {
            return new Anchor(sent, time, server, from);
        }
    }

    public static Belief entering(ClaimId id, ClaimSpec spec, long now) {
        return new Belief(id, spec, Phase.ENTERING, 0, now, 1, null, 0, NEVER, false, false, null, null, 0);
    }

    /**
     * Returns the belief from the moment at which a fixed lease is asked to end so many microseconds from now: an earlier end
     * counts at once, a later one once an answer knows of that many changes.
     */
    Belief fixing(long lease, int change, long now) {
        long end = now + Drift.localNanos(lease);
        ClaimSpec longest = spec.withFixedLease(Math.max(spec.fixedLease(), lease));
        long nearer = until - end > 0 ? end : until;
        return new Belief(
                id, longest, phase, sequence, since, enters, anchor, nearer, askAt, confirmed, wanted, hint, reason,
                change);
    }

    /** Returns the belief after the enter was sent once more. */
    public Belief enteringAgain() {
        int times = enters + 1;
        return new Belief(
                id, spec, phase, sequence, since, times, anchor, until, askAt, confirmed, wanted, hint, reason,
                changes);
    }

    Belief yielding(long now) {
        return to(Phase.YIELDING, now, null);
    }

    Belief leaving(long now) {
        return to(Phase.LEFT, now, null);
    }

    /** Returns the belief once the store cannot be used, and to try again does not help. */
    Belief failed(String why, long now) {
        return to(Phase.FAILED, now, why);
    }

    /** Takes the answer to the only enter of a claim that was given up before: it shows what there is to leave. */
    Belief entered(Answer answer, long sent, long offset) {
        return switch (answer.state()) {
            case GRANTED, WAITING -> with(new Anchor(sent, answer.time(), answer.server(), offset));
            case BUSY, BEHIND -> to(Phase.BUSY, since, null);
            case REFUSED -> to(Phase.REFUSED, since, null);
            case GONE, LEFT -> this;
        };
    }

    /** Returns the belief about a claim that was left, and had that sequence by then. */
    Belief resequenced(long last) {
        return new Belief(
                id, spec, phase, last, since, enters, anchor, until, askAt, confirmed, wanted, hint, reason, changes);
    }

    /** Returns whether the store may have something of this claim. */
    boolean isThere() {
        return anchor != null || isUnclear();
    }

    /** Returns whether that run of a server answered last, or none has answered. */
    boolean isOfRun(long server) {
        return anchor == null || anchor.server() == server;
    }

    private Belief with(Anchor known) {
        return new Belief(
                id, spec, phase, sequence, since, enters, known, until, askAt, confirmed, wanted, hint, reason,
                changes);
    }

    /** Returns whether an enter of this claim may still be on its way to the store when its leave gets there. */
    boolean isUnclear() {
        return enters > 1 || (anchor == null && phase != Phase.BUSY && phase != Phase.REFUSED);
    }

    /** Returns whether the claim has a fixed lease, which is picked up once and never renewed. */
    public boolean isFixed() {
        return spec.fixedLease() > 0;
    }

    public boolean isHeld(long now) {
        return phase == Phase.HELD && now - until < 0;
    }

    /** Returns what the client believes once the clock shows that instant. */
    Belief at(long now) {
        return phase == Phase.HELD && now - until >= 0
                ? to(Phase.LOST, now, isFixed() ? OVER : "its lease ended and could not be renewed in time")
                : this;
    }

    /** Returns whether the end may be nearer than nanoTime shows, as the machine may have been suspended since. */
    boolean isUnsure(long offset) {
        return anchor != null && anchor.isOvertaken(offset, until);
    }

    /** Takes an answer to a request that was sent at that instant, when the wall clock was so far ahead of nanoTime. */
    public Belief answered(Answer answer, long sent, long offset, long now) {
        if (phase.isFinal()) {
            return this;
        }
        return switch (answer.state()) {
            case GONE, LEFT -> gone(now, NOT_LISTED);
            case BUSY, BEHIND -> phase == Phase.ENTERING ? to(Phase.BUSY, now, null) : this;
            case REFUSED -> phase == Phase.ENTERING ? to(Phase.REFUSED, now, answer.refusal()) : this;
            case GRANTED, WAITING ->
                told(answer, new Anchor(sent, answer.time(), answer.server(), offset), now)
                        .at(now);
        };
    }

    private Belief told(Answer answer, Anchor asking, long now) {
        int order = Long.compare(answer.sequence(), sequence);
        boolean asked = asking.sent() - since > 0; // only then does the answer show a state after what is believed now
        if (order < 0) {
            return asked ? gone(now, WENT_BACK) : this;
        }
        boolean granted = answer.state() == Answer.State.GRANTED;
        if (order == 0 && phase == Phase.YIELDING) {
            return asked && !granted ? waiting(answer, asking, now) : this;
        }
        boolean wantedToo = answer.waiters() > 0;
        if (hint != null && hint.sequence() == answer.sequence() && hint.server() == answer.server()) {
            return hint.granted()
                    ? held(
                            answer,
                            asking,
                            now,
                            granted ? answer.deadline() : hint.deadline(),
                            granted,
                            hint.wanted() || (granted && wantedToo))
                    : gone(now, ending(hint));
        }
        if (granted) {
            return held(answer, asking, now, answer.deadline(), true, wantedToo);
        }
        if (phase == Phase.HELD) {
            return order > 0 || asked ? gone(now, "the store went back to a state before its grant") : this;
        }
        return waiting(answer, asking, now);
    }

    private Belief held(Answer answer, Anchor asking, long now, long deadline, boolean byAnswer, boolean wantedToo) {
        Anchor next = latest(asking);
        long sent = asking.sent();
        long end = next.sent() + leaseNanos(deadline - next.time());
        boolean same = phase == Phase.HELD && answer.sequence() == sequence;
        boolean renews = phase == Phase.HELD && confirmed; // not so a pick-up, which is as good as an enter
        boolean tooFewReplicas =
                answer.confirmation() != null && answer.confirmation().isShort();
        boolean unsure = next == asking && isUnsure(asking.offset()); // then what was believed so far may be too long
        boolean older = same && answer.reweights() < changes;
        if (older || (renews && tooFewReplicas)) {
            end = unsure ? Math.min(until, end) : until;
            next = unsure && anchor != null ? next.unsure(anchor.offset()) : next;
        } else if (same && !unsure && until - end > 0) {
            end = until;
        }
        long ask = !isFixed() ? sent + Math.max((end - sent) / 3, tooFewReplicas ? RETRY : 0) : byAnswer ? NEVER : now;
        return new Belief(
                id,
                spec,
                Phase.HELD,
                answer.sequence(),
                same ? since : now,
                enters,
                next,
                end,
                ask,
                byAnswer || (same && confirmed),
                wantedToo || (same && wanted),
                null,
                null,
                Math.max(changes, answer.reweights()));
    }

    private Belief waiting(Answer answer, Anchor asking, long now) {
        Anchor next = latest(asking);
        long sent = asking.sent();
        long end = sent + leaseNanos(answer.deadline() - answer.time());
        // A grant to somebody dead shortens the wait without a word to those behind: they ask often enough to notice.
        long ask = sent + Math.min((end - sent) / 3, Resource.PICK_UP * 1000);
        if (answer.expiry() > 0) {
            long expiry = sent + (answer.expiry() - answer.time()) * 1000 + answer.place() * 100_000_000L;
            ask = Math.min(ask, expiry);
        }
        long started = phase == Phase.WAITING ? since : now;
        boolean hinted = hint != null && hint.sequence() >= answer.sequence();
        // An enter that was sent twice may have entered twice, the first claim having expired; of the second one the
        // push may come first, and both answers after it.
        boolean open = hint != null
                && hint.sequence() > answer.sequence()
                && hint.server() == answer.server()
                && hint.time() >= answer.time();
        return new Belief(
                id,
                spec,
                Phase.WAITING,
                answer.sequence(),
                started,
                enters,
                next,
                end,
                hinted ? now : ask,
                false,
                false,
                open ? hint : null,
                null,
                changes);
    }

    /** Takes a push that has arrived. */
    public Belief pushed(Push push, long now) {
        if (phase.isFinal() || push.sequence() < sequence) {
            return this;
        }
        if (phase == Phase.ENTERING) {
            return hinted(push, askAt);
        }
        if (anchor == null || push.server() != anchor.server() || jumped(push, anchor, now)) {
            return asking(now); // a hint, no more
        }
        if (!push.granted()) {
            boolean ours = push.sequence() == sequence && phase != Phase.YIELDING;
            return ours ? gone(now, ending(push)) : asking(now);
        }
        // While a yield is on its way only the grant of the new place counts. At other times a newer sequence is one
        // that no answer has told of yet.
        boolean newer = push.sequence() > sequence;
        if (newer != (phase == Phase.YIELDING)) {
            return newer ? hinted(push, now) : this;
        }
        if (phase == Phase.HELD) {
            return push.wanted() ? wantedByOthers() : this;
        }
        long end = anchor.sent() + leaseNanos(push.deadline() - anchor.time());
        long ask = isFixed() ? now : now + (end - now) / 3;
        return new Belief(
                        id,
                        spec,
                        Phase.HELD,
                        push.sequence(),
                        now,
                        enters,
                        anchor,
                        end,
                        ask,
                        false,
                        push.wanted(),
                        null,
                        null,
                        changes)
                .at(now);
    }

    /** Returns why the claim is lost, as a value. */
    public LossReason loss() {
        if (TAKEN.equals(reason)) {
            return LossReason.FORCED;
        } else if (OVER.equals(reason)) {
            return LossReason.ENDED;
        }
        return NOT_LISTED.equals(reason) || WENT_BACK.equals(reason) ? LossReason.FORGOTTEN : LossReason.EXPIRED;
    }

    private static String ending(Push push) {
        return push.deadline() == 0 ? TAKEN : "its lease ended by the store's clock";
    }

    private Belief gone(long now, String why) {
        return to(phase == Phase.HELD ? Phase.LOST : Phase.GONE, now, why);
    }

    private Belief hinted(Push push, long ask) {
        boolean older = hint != null && hint.server() == push.server() && hint.sequence() > push.sequence();
        Push newest = older ? hint : push;
        return new Belief(
                id, spec, phase, sequence, since, enters, anchor, until, ask, confirmed, wanted, newest, reason,
                changes);
    }

    private Belief wantedByOthers() {
        return wanted
                ? this
                : new Belief(
                        id, spec, phase, sequence, since, enters, anchor, until, askAt, confirmed, true, hint, reason,
                        changes);
    }

    /** Returns whether nothing that the claim's owner must know has changed since; times may have. */
    boolean looksLike(Belief before) {
        return phase == before.phase
                && sequence == before.sequence
                && confirmed == before.confirmed
                && wanted == before.wanted;
    }

    /** Returns the belief with that instant as the one at which to ask the store next. */
    Belief asking(long at) {
        return new Belief(
                id, spec, phase, sequence, since, enters, anchor, until, at, confirmed, wanted, hint, reason, changes);
    }

    private Belief to(Phase next, long now, @Nullable String why) {
        return new Belief(
                id, spec, next, sequence, now, enters, anchor, until, NEVER, confirmed, false, hint, why, changes);
    }

    private Anchor latest(Anchor asking) {
        return anchor != null && anchor.server() == asking.server() && anchor.sent() - asking.sent() > 0
                ? anchor
                : asking;
    }

    /** Returns a lease in local nanoseconds: none is longer than asked for, even if the store's clock was put back. */
    private long leaseNanos(long micros) {
        return Drift.localNanos(Math.min(micros, Math.max(spec.lease(), spec.fixedLease())));
    }

    /** Returns whether the store's clock went further from the anchor to the push than any clock that runs could. */
    static boolean jumped(Push push, Anchor anchor, long now) {
        return Drift.localNanos(push.time() - anchor.time()) > now - anchor.sent();
    }
}
