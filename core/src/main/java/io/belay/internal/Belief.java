package io.belay.internal;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Resource;
import org.jspecify.annotations.Nullable;

/**
 * What a client believes of one of its claims, and every decision that it takes on an answer, a push or the passing of
 * time: a pure immutable value, so that the search over the whole protocol runs the very code that runs in production.
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
 *   <li>a renewal that fewer replicas have than are asked for moves no deadline, and makes none sure: its master may have
 *       been replaced;
 *   <li>a claim once held that the store does not list as granted is lost, and lost is final.
 * </ul>
 *
 * <p>Local instants are {@link System#nanoTime()} values, store times are microseconds.
 *
 * @param id the claim
 * @param terms what it asks for
 * @param phase what is believed
 * @param sequence the sequence it is believed under; 0 before the first answer
 * @param since when the phase began
 * @param enters how many times its enter was sent
 * @param anchor the last answered request; null before the first answer
 * @param until when the lease ends by the local clock, the drift margin taken off
 * @param askAt when to ask the store next; {@link Long#MAX_VALUE} for never
 * @param confirmed whether an answer, not only a push, has told the grant
 * @param wanted whether somebody else is known to want what it holds
 * @param hint a push that came before the answer which its sequence is to be known from
 * @param reason why it is lost or refused, in words
 */
record Belief(
        ClaimId id,
        Terms terms,
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
        @Nullable String reason) {

    /** Not sooner, in nanoseconds, is asked again for what the replicas lack. */
    private static final long RETRY = 100_000_000;

    private static final String TAKEN = "it was taken away by force";

    /** What a claim is believed to be. */
    enum Phase {
        /** Its enter was sent and is not answered. */
        ENTERING,
        /** It waits in the queue. */
        WAITING,
        /** It is granted, and may be used until the deadline. */
        HELD,
        /** Its yield was sent and is not answered; it is not held meanwhile. */
        YIELDING,
        /** It was held and is no longer. Final. */
        LOST,
        /** It was not held, and the store no longer has it, or never took it. Final. */
        GONE,
        /** It was to enter only if granted at once, and was not. Final. */
        BUSY,
        /** The store refused it. Final. */
        REFUSED,
        /** The store cannot take it, nor any other. Final. */
        FAILED,
        /** The client sent its leave. Final. */
        LEFT;

        boolean isFinal() {
            return ordinal() >= LOST.ordinal();
        }
    }

    /**
     * The last answered request of a claim: what a deadline is counted from.
     *
     * @param sent the instant before it was sent
     * @param time the store's time in its answer
     * @param server the run of the server that answered
     * @param offset wall clock minus nanoTime at that instant, in milliseconds
     */
    record Anchor(long sent, long time, long server, long offset) {
        /** Whether the wall clock has run ahead of nanoTime since by more than two clocks may differ. */
        boolean isOvertaken(long laterOffset, long until) {
            return laterOffset > offset + (until - sent) / 100_000_000 + 2;
        }

        private Anchor unsure(long from) {
            return new Anchor(sent, time, server, from);
        }
    }

    static Belief entering(ClaimId id, Terms terms, long now) {
        return new Belief(id, terms, Phase.ENTERING, 0, now, 1, null, 0, Long.MAX_VALUE, false, false, null, null);
    }

    /** The enter is sent once more. */
    Belief enteringAgain() {
        return new Belief(
                id, terms, phase, sequence, since, enters + 1, anchor, until, askAt, confirmed, wanted, hint, reason);
    }

    Belief yielding(long now) {
        return to(Phase.YIELDING, now, null);
    }

    Belief leaving(long now) {
        return to(Phase.LEFT, now, null);
    }

    /** The store cannot be used, and to try again does not help. */
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

    /** Whether the store may have something of this claim. */
    boolean isThere() {
        return anchor != null || isUnclear();
    }

    /** Whether that run of a server answered last, or none has answered. */
    boolean isOfRun(long server) {
        return anchor == null || anchor.server() == server;
    }

    private Belief with(Anchor known) {
        return new Belief(
                id, terms, phase, sequence, since, enters, known, until, askAt, confirmed, wanted, hint, reason);
    }

    /** Whether an enter of this claim may still be on its way to the store when its leave gets there. */
    boolean isUnclear() {
        return enters > 1 || (anchor == null && phase != Phase.BUSY && phase != Phase.REFUSED);
    }

    /** Whether it has a fixed lease, which is picked up once and never renewed. */
    boolean isFixed() {
        return terms.hold() > 0;
    }

    boolean isHeld(long now) {
        return phase == Phase.HELD && now - until < 0;
    }

    /** What is believed once the clock shows that instant. */
    Belief at(long now) {
        return phase == Phase.HELD && now - until >= 0
                ? to(Phase.LOST, now, "its lease ended and could not be renewed in time")
                : this;
    }

    /** Whether the machine may have been suspended since the last answer: its end may be nearer than nanoTime shows. */
    boolean isUnsure(long offset) {
        return anchor != null && anchor.isOvertaken(offset, until);
    }

    /** An answer to a request that was sent at that instant, when the wall clock was so far ahead of nanoTime. */
    Belief answered(Answer answer, long sent, long offset, long now) {
        if (phase.isFinal()) {
            return this;
        }
        return switch (answer.state()) {
            case GONE, LEFT -> gone(now, "the store no longer lists it");
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
            return asked ? gone(now, "the store went back to an earlier state") : this;
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
                    : gone(now, TAKEN);
        }
        if (granted) {
            return held(answer, asking, now, answer.deadline(), true, wantedToo);
        }
        if (phase == Phase.HELD) {
            return order > 0 || asked ? gone(now, "the store went back to a state before its grant") : this;
        }
        return waiting(answer, asking, now);
    }

    private Belief held(Answer answer, Anchor asking, long now, long deadline, boolean told, boolean wantedToo) {
        Anchor next = latest(asking);
        long sent = asking.sent();
        long end = next.sent() + leaseNanos(deadline - next.time());
        boolean same = phase == Phase.HELD && answer.sequence() == sequence;
        boolean renews = phase == Phase.HELD && confirmed; // not so a pick-up, which is as good as an enter
        boolean unconfirmed =
                answer.confirmation() != null && answer.confirmation().isShort();
        boolean unsure = next == asking && isUnsure(asking.offset()); // then what was believed so far may be too long
        if (renews && unconfirmed) {
            end = unsure ? Math.min(until, end) : until;
            next = unsure && anchor != null ? next.unsure(anchor.offset()) : next;
        } else if (same && !unsure && until - end > 0) {
            end = until;
        }
        long ask =
                !isFixed() ? sent + Math.max((end - sent) / 3, unconfirmed ? RETRY : 0) : told ? Long.MAX_VALUE : now;
        return new Belief(
                id,
                terms,
                Phase.HELD,
                answer.sequence(),
                same ? since : now,
                enters,
                next,
                end,
                ask,
                told || (same && confirmed),
                wantedToo || (same && wanted),
                null,
                null);
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
                terms,
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
                null);
    }

    /** A push arrived. */
    Belief pushed(Push push, long now) {
        if (phase.isFinal() || push.sequence() < sequence) {
            return this;
        }
        if (phase == Phase.ENTERING) {
            return hinted(push, askAt);
        }
        if (anchor == null || push.server() != anchor.server() || jumped(push, anchor, now)) {
            return asking(now);
        }
        if (!push.granted()) {
            return push.sequence() == sequence && phase != Phase.YIELDING ? gone(now, TAKEN) : asking(now);
        }
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
                        terms,
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
                        null)
                .at(now);
    }

    private Belief gone(long now, String why) {
        return to(phase == Phase.HELD ? Phase.LOST : Phase.GONE, now, why);
    }

    private Belief hinted(Push push, long ask) {
        boolean older = hint != null && hint.server() == push.server() && hint.sequence() > push.sequence();
        Push newest = older ? hint : push;
        return new Belief(
                id, terms, phase, sequence, since, enters, anchor, until, ask, confirmed, wanted, newest, reason);
    }

    private Belief wantedByOthers() {
        return wanted
                ? this
                : new Belief(
                        id, terms, phase, sequence, since, enters, anchor, until, askAt, confirmed, true, hint, reason);
    }

    /** Whether only the time to which it holds has changed since. */
    boolean looksLike(Belief before) {
        return phase == before.phase
                && sequence == before.sequence
                && confirmed == before.confirmed
                && wanted == before.wanted;
    }

    /** The store is to be asked at that instant. */
    Belief asking(long at) {
        return new Belief(
                id, terms, phase, sequence, since, enters, anchor, until, at, confirmed, wanted, hint, reason);
    }

    private Belief to(Phase next, long now, @Nullable String why) {
        return new Belief(
                id, terms, next, sequence, now, enters, anchor, until, Long.MAX_VALUE, confirmed, false, hint, why);
    }

    private Anchor latest(Anchor asking) {
        return anchor != null && anchor.server() == asking.server() && anchor.sent() - asking.sent() > 0
                ? anchor
                : asking;
    }

    /** The store's clock kept its deadlines when it was put back; but no lease ends later than the longest it may get. */
    private long leaseNanos(long micros) {
        return localNanos(Math.min(micros, Math.max(terms.lease(), terms.hold())));
    }

    /** Whether more time has passed between the two on the store's clock than could have on any that runs. */
    static boolean jumped(Push push, Anchor anchor, long now) {
        return localNanos(push.time() - anchor.time()) > now - anchor.sent();
    }

    /** A span of the store's clock as the local clock may be relied on to show it: 1 % and 2 ms are taken off. */
    static long localNanos(long micros) {
        return (micros - micros / 100 - 2_000) * 1000;
    }
}
