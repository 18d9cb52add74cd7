package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Someone who uses a quorum of {@link FakeMember}s as the engine does, and believes of a claim what it may. */
final class SimClient implements Store.Listener {
    static final String NAME = "x";
    static final Owner OWNER = Owner.of("c", "h", 1, "t");

    final long number;
    final SimClock clock;
    final Quorum quorum;
    final QuorumStore store;
    private final long lease;
    /** Told whenever it begins to believe that it holds the lock. */
    private final Consumer<SimClient> onGrant;

    private long claims;
    private @Nullable ClaimId id;
    private long sequence;
    private boolean held;
    private long until;
    private boolean renewing;
    /** The number of changes of the end that it has asked for; from the first on it does not renew. */
    private int fixes;

    @Nullable
    Answer last;

    @Nullable
    Throwable lastError;

    /** {@code majority} is 0 for what it should be. */
    SimClient(
            long number,
            SimClock clock,
            Random random,
            QuorumUrl url,
            int majority,
            List<FakeMember> members,
            Consumer<SimClient> onGrant) {
        this.number = number;
        this.clock = clock;
        this.onGrant = onGrant;
        lease = url.longestLease().toNanos() / 1000;
        Clock own = clock.ofClient();
        quorum = majority == 0
                ? new Quorum(number, url, own, random, new Loop())
                : new Quorum(number, url, majority, own, random, new Loop());
        store = new QuorumStore(quorum, this);
        for (Member member : quorum.members) {
            store.use(member, members.get(member.index).connect(number, store.of(member)));
            member.standing(standing -> {});
        }
    }

    boolean isHeld() {
        return held && clock.nanos() < until;
    }

    boolean wasRefused() {
        return last != null && last.state() == Answer.State.REFUSED;
    }

    boolean isIdle() {
        if (fixes > 0 && held && clock.nanos() >= until) {
            id = null; // as the engine ends a fixed lease
            held = false;
        }
        return id == null;
    }

    long token() {
        return sequence;
    }

    long until() {
        return until;
    }

    void enter(boolean ifFree) {
        enter(ifFree, lease, Resource.WHOLE);
    }

    void enter(boolean ifFree, long wantedLease, int weight) {
        ClaimId fresh = ClaimId.of(number, ++claims);
        id = fresh;
        sequence = 0;
        held = false;
        fixes = 0;
        ask(Request.Enter.of(
                NAME, fresh, ClaimSpec.of(Resource.WHOLE, weight, wantedLease).withIfFree(ifFree), 0, OWNER));
    }

    void leave() {
        ClaimId left = id;
        id = null;
        held = false;
        if (left != null) {
            store.send(Request.Leave.of(NAME, left, false)).whenComplete((answer, error) -> {
                last = answer;
                if (answer == null) {
                    clock.later(100_000_000, () -> again(left));
                }
            });
        }
    }

    private void again(ClaimId left) {
        store.send(Request.Leave.of(NAME, left, true)).whenComplete((answer, error) -> {
            last = answer == null ? last : answer;
            if (answer == null && !store.isClosed()) {
                clock.later(100_000_000, () -> again(left));
            }
        });
    }

    void yield() {
        ClaimId mine = id;
        if (mine != null) {
            held = false;
            ask(Request.Yield.of(NAME, mine, sequence, lease, 0));
        }
    }

    void renew(boolean fresh) {
        ClaimId mine = id;
        if (mine != null) {
            ask(Request.Renew.of(NAME, mine, sequence, lease, 0, fresh));
        }
    }

    /** Moves the end of its hold, to so many microseconds from now: a nearer one counts from now on. */
    void fix(long length) {
        ClaimId mine = id;
        if (mine != null) {
            until = Math.min(until, clock.nanos() + length * 990);
            ask(Request.Fix.of(NAME, mine, sequence, fixes++, length));
        }
    }

    private void fixAgain(Request.Fix fix) {
        if (fix.id().equals(id) && fix.sequence() == sequence && !store.isClosed()) {
            ask(fix);
        }
    }

    /** Returns whether the last end that it has asked for is on a majority. */
    boolean isFixed() {
        return fixes > 0 && last != null && last.reweights() == fixes;
    }

    /** Returns whether it has asked for another end. */
    boolean isToBeFixed() {
        return fixes > 0;
    }

    /** Shows that another thread has the lock. */
    void describe(Owner owner) {
        ClaimId mine = id;
        if (mine != null) {
            store.send(Request.Describe.of(NAME, mine, sequence, owner));
        }
    }

    private void ask(Request.OfClaim request) {
        long sent = clock.nanos();
        store.send(request).whenComplete((answer, error) -> {
            if (!request.id().equals(id)) {
                return;
            }
            last = answer;
            lastError = error;
            if (answer != null && request instanceof Request.Fix fix && answer.reweights() <= fix.reweights()) {
                clock.later(50_000_000, () -> fixAgain(fix)); // too few have it
            }
            if (answer != null) {
                answered(answer, sent);
            } else if (!store.isClosed()) {
                clock.later(50_000_000, () -> {
                    if (request.id().equals(id) && !store.isClosed()) {
                        ask(request);
                    }
                });
            }
        });
    }

    private void answered(Answer answer, long sent) {
        switch (answer.state()) {
            case GRANTED -> {
                long before = sequence;
                sequence = answer.sequence();
                if (answer.reweights() < fixes) {
                    return; // it does not know of the end that was asked for
                }
                until = sent + (answer.deadline() - answer.time()) * 990;
                boolean news = !held || before != sequence;
                held = true;
                if (news) {
                    onGrant.accept(this);
                }
                keep();
            }
            case WAITING -> sequence = answer.sequence();
            default -> {
                id = null;
                held = false;
            }
        }
    }

    private void keep() {
        if (!renewing) {
            renewing = true;
            clock.later(lease * 1000 / 3, () -> {
                renewing = false;
                if (held && fixes == 0) {
                    renew(false);
                }
            });
        }
    }

    @Override
    public void pushed(Push push) {
        if (!push.id().equals(id)) {
            return;
        }
        if (!push.granted()) {
            id = null;
            held = false;
        } else if (!held) {
            renew(false); // as the engine does on a hint
        }
    }

    @Override
    public void reconnected() {
        if (held && fixes == 0) {
            renew(false);
        }
    }
}
