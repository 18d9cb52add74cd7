package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Log;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One of the stores that make a quorum. All answers come as steps of the loop; null stands for none, and
 * {@link #trouble()} tells why.
 *
 * <p><b>Birth.</b> A member may be restarted or wiped, and has then forgotten who holds what. So each member has a claim
 * on a reserved resource that no client owns: its id is the member's present run, so whoever enters it first after a
 * restart or a wipe gives it its sequence, the member's time then. What is asked of it after something else, on the same
 * connection, tells whether the member remembers everything since before that.
 */
final class Member {
    private static final Log LOG = Log.of(Member.class);

    /** No name of a lock has such a character. */
    static final String BIRTH = "\u0001birth";

    /** For how long an unused member remembers its birth, in microseconds. */
    private static final long MONTH = 30L * 24 * 3600 * 1_000_000;

    private static final long RETRY_NANOS = 250_000_000;

    /** An answer that took longer says too little about the clock. */
    private static final long PROMPT_NANOS = 200_000_000;

    private static final Owner NOBODY = new Owner("quorum", "", 0, "");

    /**
     * How a member stands.
     *
     * @param run which run of it this is
     * @param age for how long it remembers, in microseconds
     */
    record Standing(long run, long age) {}

    final int index;
    final String label;
    private final long longest;
    private final Clock clock;
    private final Loop loop;

    private @Nullable Store store;
    /** Why it cannot be used; null if it can. */
    private @Nullable StoreException trouble = StoreException.unreachable("it is not connected yet", null);
    /** Whether it let somebody wait in vain, so that nobody waits for it again before it has answered. */
    private boolean suspect;

    private ClaimId birthId;
    private long birth;
    private long birthTold;
    /** Its clock less ours, in microseconds, rather too much than too little; meaningless before the first answer. */
    private long ahead;

    private boolean heard;

    Member(int index, String label, long longestMicros, Clock clock, Loop loop) {
        this.index = index;
        this.label = label;
        longest = longestMicros;
        birthId = new ClaimId(longest, 0);
        this.clock = clock;
        this.loop = loop;
    }

    /** It is connected. */
    void use(Store opened) {
        store = opened;
        suspect = false;
    }

    /** It cannot be connected, or not be used. */
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

    boolean isSuspect() {
        return suspect;
    }

    void suspect() {
        suspect = true;
        trouble = StoreException.unreachable("it does not answer in time", null);
    }

    /** Which run of it was last seen. */
    long run() {
        return birthId.number();
    }

    /** Its time now in microseconds, rather later than earlier; 0 if not known. */
    long clock() {
        return heard ? ahead + clock.nanos() / 1000 : 0;
    }

    void send(Request request, Consumer<@Nullable Answer> then) {
        ask(to -> to.send(request), Answer::time, then);
    }

    /** Who hears the answers to several renewals. */
    interface Renewed {
        void heard(int which, @Nullable Answer answer);
    }

    /** Each is answered by itself. */
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

    private <T> void ask(
            Function<Store, CompletionStage<T>> question, ToLongFunction<T> time, Consumer<@Nullable T> then) {
        long sent = clock.nanos();
        hear(call(question, CompletableFuture::failedStage), sent, time, then);
    }

    private <T> void hear(CompletionStage<T> answer, long sent, ToLongFunction<T> time, Consumer<@Nullable T> then) {
        answer.whenComplete((result, error) -> loop.run(() -> {
            if (result == null) {
                trouble = reason(error);
            } else {
                suspect = false;
                trouble = null;
                observe(time.applyAsLong(result), sent);
            }
            then.accept(result);
        }));
    }

    private <T> T call(Function<Store, T> question, Function<RuntimeException, T> failed) {
        Store to = store;
        if (to == null) {
            return failed.apply(trouble == null ? StoreException.unreachable("it is not connected", null) : trouble);
        }
        try {
            return question.apply(to);
        } catch (RuntimeException e) {
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

    /** Asks how the member stands, once all has run that was sent to it before. */
    void standing(Consumer<@Nullable Standing> then) {
        standing(3, then);
    }

    private void standing(int attempts, Consumer<@Nullable Standing> then) {
        ClaimId known = birthId;
        renew(List.of(new Request.Renew(BIRTH, known, birth, MONTH, 0, false)), (only, answer) -> {
            if (answer == null) {
                then.accept(null);
            } else if (isBirth(answer, known)) {
                stands(answer, known, then);
            } else {
                born(new ClaimId(longest, answer.server()), attempts, then);
            }
        });
    }

    /** Id and capacity tell the longest lease: so who takes it to be another is refused, as that would not be safe. */
    // Sticky, so that Redis runs the same script as for an attempt, and has it: to send a script anew would let what
    // was
    // asked behind it overtake it.
    private void born(ClaimId id, int attempts, Consumer<@Nullable Standing> then) {
        int capacity = (int) (longest / 1000);
        send(new Request.Enter(BIRTH, id, capacity, 1, MONTH, 0, false, 0, true, NOBODY), answer -> {
            if (answer == null) {
                then.accept(null);
            } else if (isBirth(answer, id)) {
                stands(answer, id, then);
            } else if (answer.state() == Answer.State.REFUSED || attempts == 0) {
                trouble = answer.state() == Answer.State.REFUSED
                        ? StoreException.unusable(
                                "others use it with another longest-lease (in ms): " + answer.refusal(), null)
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
        if (isYoung(standing) && birthTold != birth) {
            birthTold = birth;
            LOG.warn(
                    "{} gives no vote for another {} s: it is new, or was restarted or wiped, and may have forgotten"
                            + " who holds what",
                    label,
                    (longest - standing.age() + 999_999) / 1_000_000);
        }
        then.accept(standing);
    }

    /** Whether somebody may still hold what this member has forgotten. */
    boolean isYoung(Standing standing) {
        return standing.age() < longest;
    }

    /** Whether what this run of it has answered counts. */
    boolean counts(Standing standing, long run) {
        return standing.run() == run && !isYoung(standing);
    }

    /** Ends a claim here, and goes on trying until the claim has expired. */
    void leave(Request.Leave leave, long untilNanos, Consumer<Answer> then) {
        send(leave, answer -> {
            if (answer != null) {
                then.accept(answer);
            } else if (clock.nanos() - untilNanos < 0) {
                Request.Leave again = new Request.Leave(leave.resource(), leave.id(), true);
                clock.later(RETRY_NANOS, () -> loop.run(() -> leave(again, untilNanos, then)));
            }
        });
    }
}
