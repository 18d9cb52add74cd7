package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A member of a quorum: one of the stores that make it. All answers come as steps of the loop; null stands for none,
 * and {@link #trouble()} tells why.
 *
 * <p><b>Birth.</b> A member may be restarted or wiped, and has then forgotten who holds what. So each member has a
 * claim on a reserved resource that no client owns: its id is the member's present run, so the client that enters the
 * claim first after a restart or a wipe gives it its sequence, the member's time then. A question about this claim
 * that is sent behind a request, on the same connection, tells whether the member remembers everything since before
 * that request.
 */
final class Member {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The name of the reserved resource: no name of a lock has such a character. */
    static final String BIRTH = "\u0001birth";

    /** The time that an unused member remembers its birth, in microseconds. */
    private static final long MONTH = 30L * 24 * 3600 * 1_000_000;

    private static final long RETRY_NANOS = 250_000_000;

    /** The time after which one that answers nothing is told of, in nanoseconds. */
    private static final long AWAY_NANOS = 60_000_000_000L;

    /** The longest that an answer may take, in nanoseconds, to say enough about the clock. */
    private static final long PROMPT_NANOS = 200_000_000;

    private static final Owner NOBODY = Owner.of("quorum", "", 0, "");

    /**
     * The standing of a member.
     *
     * @param run which run of the member this is
     * @param age for how long the member remembers, in microseconds
     */
    record Standing(long run, long age) {}

    final int index;
    final String label;
    private final long longest;
    private final long timeoutNanos;
    private final Clock clock;
    private final Loop loop;

    private @Nullable Store store;
    /** The reason why the member cannot be used; null if it can. */
    private @Nullable StoreException trouble = StoreException.unreachable("it is not connected yet", null);
    /** True once the member let a round wait in vain, so that rounds hardly wait for it until it has answered. */
    private boolean suspect;
    /** True since {@link #awaySince}, while it is connected to and answers nothing. */
    private boolean away;

    private long awaySince;
    private boolean awayTold;

    private ClaimId birthId;
    private long birth;
    private long birthTold;
    private boolean setBackTold;
    /** The member's clock less ours, in microseconds, rather too much than too little; meaningless until it answers. */
    private long ahead;

    private boolean heard;
    /** The run under which it was told last that another member is the same server; 0 for never. */
    private long twiceTold;

    Member(int index, String label, long longestMicros, long timeoutNanos, Clock clock, Loop loop) {
        this.index = index;
        this.label = label;
        longest = longestMicros;
        this.timeoutNanos = timeoutNanos;
        birthId = ClaimId.of(longest, 0);
        this.clock = clock;
        this.loop = loop;
    }

    /** Uses a store that was opened for this member from now on. */
    void use(Store opened) {
        store = opened;
        suspect = false;
    }

    /** Notes that the member cannot be connected, or not be used. */
    void missing(StoreException why) {
        store = null;
        trouble = why;
    }

    @Nullable
    Store store() {
        return store;
    }

    @Nullable
    StoreException trouble() {
        return trouble;
    }

    /** Returns whether it has answered the last time, as far as is known. */
    boolean isWell() {
        return trouble == null;
    }

    boolean isSuspect() {
        return suspect;
    }

    void suspect() {
        suspect = true;
        trouble = StoreException.unreachable(
                "it does not answer within the member-timeout of " + timeoutNanos / 1_000_000
                        + " ms, which the URL can make longer",
                null);
    }

    /** Returns which run of the member was last seen. */
    long run() {
        return birthId.number();
    }

    /** Returns the member's time now in microseconds, rather later than earlier; 0 if not known. */
    long clock() {
        return heard ? ahead + clock.nanos() / 1000 : 0;
    }

    /** Sends a request. Returns the answer as it comes; {@code then} hears of it in a step of the loop. */
    CompletableFuture<Answer> send(Request request, Consumer<@Nullable Answer> then) {
        return ask(to -> to.send(request), Answer::time, then);
    }

    /** A listener to the answers to several renewals. */
    interface Renewed {
        void heard(int which, @Nullable Answer answer);
    }

    /** Sends renewals, each of which is answered by itself. */
    void renew(List<Request.Renew> renewals, Renewed then) {
        long sent = clock.nanos();
        List<? extends CompletionStage<Answer>> answers = call(
                to -> to.renew(renewals),
                why -> Collections.nCopies(renewals.size(), CompletableFuture.failedStage(why)));
        for (int i = 0; i < renewals.size(); i++) {
            int which = i;
            hear(answers.get(i), sent, Answer::time, answer -> then.heard(which, answer));
        }
    }

    void inspect(String resource, Consumer<Store.@Nullable Snapshot> then) {
        ask(to -> to.inspect(resource), Store.Snapshot::time, then);
    }

    void names(String prefix, String cursor, Consumer<Store.@Nullable NamePage> then) {
        ask(to -> to.names(prefix, cursor), page -> 0, then); // which tells no time
    }

    private <T> CompletableFuture<T> ask(
            Function<Store, CompletionStage<T>> question, ToLongFunction<T> time, Consumer<@Nullable T> then) {
        long sent = clock.nanos();
        CompletionStage<T> answer = call(question, CompletableFuture::failedStage);
        hear(answer, sent, time, then);
        return answer.toCompletableFuture();
    }

    private <T> void hear(CompletionStage<T> answer, long sent, ToLongFunction<T> time, Consumer<@Nullable T> then) {
        answer.whenComplete((result, error) -> loop.run(() -> {
            if (result == null) {
                failed(reason(error));
            } else {
                answered();
                observe(time.applyAsLong(result), sent);
            }
            then.accept(result);
        }));
    }

    /** Notes a failure, and tells once of a member that has been away for long: the others do without it, until they cannot. */
    private void failed(StoreException why) {
        trouble = why;
        long now = clock.nanos();
        if (!away && store != null) {
            away = true;
            awaySince = now;
        } else if (away && !awayTold && now - awaySince > AWAY_NANOS) {
            awayTold = true;
            LOG.warn("{} has answered nothing for a minute: {}", label, why.getMessage());
        }
    }

    private void answered() {
        suspect = false;
        trouble = null;
        away = false;
        if (awayTold) {
            awayTold = false;
            LOG.info("{} answers again", label);
        }
    }

    private <T> T call(Function<Store, T> question, Function<Throwable, T> failed) {
        Store to = store;
        if (to == null) {
            return failed.apply(trouble == null ? StoreException.unreachable("it is not connected", null) : trouble);
        }
        try {
            return question.apply(to);
        } catch (Throwable e) { // or the round that asks would never end
            return failed.apply(e);
        }
    }

    private static StoreException reason(@Nullable Throwable error) {
        Throwable cause = error;
        while (cause != null && !(cause instanceof StoreException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof StoreException known
                ? known
                : StoreException.unreachable(cause == null ? "no answer" : String.valueOf(cause.getMessage()), cause);
    }

    private void observe(long time, long sent) {
        long trip = clock.nanos() - sent;
        if (time > 0 && (!heard || trip < PROMPT_NANOS)) {
            heard = true;
            ahead = time - (sent - trip) / 1000;
        }
    }

    /** Asks how the member stands, once all has run that this client sent to it before. */
    void standing(Consumer<@Nullable Standing> then) {
        standing(3, then);
    }

    private void standing(int attempts, Consumer<@Nullable Standing> then) {
        ClaimId known = birthId;
        renew(List.of(Request.Renew.of(BIRTH, known, birth, MONTH, 0, false)), (only, answer) -> {
            if (answer == null) {
                then.accept(null);
            } else if (isBirth(answer, known)) {
                stands(answer, known, then);
            } else {
                born(ClaimId.of(longest, answer.server()), attempts, then);
            }
        });
    }

    /** Enters the birth, whose id and capacity tell the longest lease: a client with another is refused, as unsafe. */
    // Sticky, so that Redis runs the same script as for an attempt, and has it.
    private void born(ClaimId id, int attempts, Consumer<@Nullable Standing> then) {
        int capacity = (int) (longest / 1000);
        send(Request.Enter.of(BIRTH, id, ClaimSpec.of(capacity, 1, MONTH).withSticky(true), 0, NOBODY), answer -> {
            if (answer == null) {
                then.accept(null);
            } else if (isBirth(answer, id)) {
                stands(answer, id, then);
            } else if (answer.state() == Answer.State.REFUSED || attempts == 0) {
                trouble = answer.state() == Answer.State.REFUSED
                        ? StoreException.unusable(
                                "others use it with another longest-lease (theirs and this one's, in ms:"
                                        + String.valueOf(answer.refusal())
                                                .replaceAll("\\D+$", "")
                                                .replaceAll("\\D+", " ")
                                        + "): give all the same",
                                null)
                        : StoreException.unreachable("it does not keep what it is told", null);
                then.accept(null);
            } else {
                standing(attempts - 1, then);
            }
        });
    }

    private static boolean isBirth(Answer answer, ClaimId id) {
        return answer.state() == Answer.State.GRANTED && answer.server() == id.number();
    }

    private void stands(Answer answer, ClaimId id, Consumer<@Nullable Standing> then) {
        birthId = id;
        birth = answer.sequence();
        Standing standing = new Standing(answer.server(), Math.max(0, answer.time() - birth));
        long setBack = setBack(birth, answer.time());
        if (setBack > 0 && !setBackTold) {
            LOG.warn("{} gives no vote until its clock is right: that was set back, by {} s at least", label, setBack);
        } else if (setBack == 0 && isYoung(standing) && birthTold != birth) {
            birthTold = birth;
            LOG.warn(
                    "{} gives no vote for another {} s: it is new, or was restarted or wiped, and may have forgotten"
                            + " who holds what",
                    label,
                    (longest - standing.age() + 999_999) / 1_000_000);
        }
        setBackTold = setBack > 0;
        then.accept(standing);
    }

    /** Returns by how many seconds at least a member's clock was set back; 0 unless it is before its birth. */
    static long setBack(long birth, long time) {
        return Math.max(0, (birth - time) / 1_000_000);
    }

    /** Returns whether a client may still hold what this member has forgotten. */
    boolean isYoung(Standing standing) {
        return standing.age() < longest;
    }

    /** Returns whether the answers of this run of the member count. */
    boolean counts(Standing standing, long run) {
        return standing.run() == run && !isYoung(standing);
    }

    /** Notes that the member is the same server as another. */
    void isAlso(Member other) {
        trouble = StoreException.unusable("it is the same server as " + other.label + ", which has one vote", null);
        if (twiceTold != run()) {
            twiceTold = run();
            LOG.warn(
                    "{} is the same server as {} now, which has one vote; see where both addresses lead",
                    label,
                    other.label);
        }
    }

    /** Ends a claim here, and goes on trying until the claim has expired. */
    void leave(Request.Leave leave, long untilNanos, Consumer<Answer> then) {
        send(leave, answer -> {
            if (answer != null) {
                then.accept(answer);
            } else if (clock.nanos() - untilNanos < 0) {
                Request.Leave again = Request.Leave.of(leave.resource(), leave.id(), true);
                clock.later(RETRY_NANOS, () -> loop.run(() -> leave(again, untilNanos, then)));
            }
        });
    }
}
