package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.Confirmation;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.Mutex;
import io.belay.support.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks how many replicas have what a connection has written. A WAIT speaks of all that its own connection wrote
 * before, and holds up what comes behind it there: so there is one at a time, and all grants that come meanwhile share
 * the next. They are told in the order in which they came: each has a future of its own, as one that many wait for tells
 * the last of them first.
 */
final class ReplicaWait {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The time for which there are enough replicas before that is told, in nanoseconds: one that just falls behind comes and goes. */
    private static final long SURE = TimeUnit.SECONDS.toNanos(10);

    private final Mutex lock = new Mutex();
    private final ReplicaPolicy policy;
    private final Supplier<CompletableFuture<Long>> question;
    private final String server;
    private final LongSupplier clock;

    // Guarded by this object's lock.
    private boolean underWay;
    private List<CompletableFuture<Integer>> next = new ArrayList<>();
    /** True once it was told that there are too few, and not yet that there are enough again. */
    private boolean lacking;
    /** The instant at which there were too few the last time, by the clock. */
    private long lackedAt;

    /**
     * @param question sends a WAIT, which tells how many replicas have it all
     * @param server its name in messages
     */
    ReplicaWait(ReplicaPolicy policy, Supplier<CompletableFuture<Long>> question, String server) {
        this(policy, question, server, System::nanoTime);
    }

    ReplicaWait(ReplicaPolicy policy, Supplier<CompletableFuture<Long>> question, String server, LongSupplier clock) {
        this.policy = policy;
        this.question = question;
        this.server = server;
        this.clock = clock;
    }

    boolean isAsked() {
        return policy.asks();
    }

    /** Returns the answer: at once, but a grant only when the replicas asked for have it or their time is over. */
    CompletableFuture<Answer> behind(CompletableFuture<Answer> answered) {
        return policy.asks()
                ? answered.thenCompose(answer -> isGrant(answer)
                        ? confirmed().thenApply(count -> tell(answer, count))
                        : CompletableFuture.completedFuture(tell(answer, 0)))
                : answered;
    }

    /**
     * Does the same for answers that came together: one question to the replicas does for all that is granted.
     *
     * @param answers null for those that are not told here
     */
    void tell(List<@Nullable Answer> answers, List<CompletableFuture<Answer>> whom) {
        List<CompletableFuture<Integer>> grants = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            Answer answer = answers.get(i);
            CompletableFuture<Answer> told = whom.get(i);
            if (answer == null) {
                continue;
            } else if (!policy.asks()) {
                told.complete(answer);
            } else if (!isGrant(answer)) {
                told.complete(tell(answer, 0));
            } else {
                CompletableFuture<Integer> replicas = new CompletableFuture<>();
                grants.add(replicas);
                replicas.thenApply(count -> tell(answer, count)).whenComplete(Outcome.to(told));
            }
        }
        if (!grants.isEmpty()) {
            ask(grants);
        }
    }

    private static boolean isGrant(Answer answer) {
        return answer.state() == Answer.State.GRANTED;
    }

    private Answer tell(Answer answer, int count) {
        return answer.confirmedBy(Confirmation.of(count, policy.count()));
    }

    private CompletableFuture<Integer> confirmed() {
        CompletableFuture<Integer> mine = new CompletableFuture<>();
        ask(List.of(mine));
        return mine;
    }

    private void ask(List<CompletableFuture<Integer>> grants) {
        try (var held = lock.hold()) {
            next.addAll(grants);
            if (underWay) {
                return;
            }
            underWay = true;
        }
        send();
    }

    /** Returns whether replicas were asked for, and that is not answered yet. */
    boolean isUnderWay() {
        try (var held = lock.hold()) {
            return underWay;
        }
    }

    private void send() {
        List<CompletableFuture<Integer>> all;
        try (var held = lock.hold()) {
            if (next.isEmpty()) {
                underWay = false;
                return;
            }
            all = next;
            next = new ArrayList<>();
        }
        try {
            question.get().whenComplete((count, error) -> answered(all, count, error));
        } catch (Throwable e) { // as for want of memory: whoever comes next asks again
            answered(all, null, StoreException.unreachable(server + " could not be asked for its replicas: " + e, e));
        }
    }

    private void answered(List<CompletableFuture<Integer>> all, @Nullable Long count, @Nullable Throwable error) {
        try {
            if (count == null) {
                all.forEach(one -> one.completeExceptionally(
                        error == null ? StoreException.unreachable(server + " told no replicas", null) : error));
            } else {
                all.forEach(one -> one.complete(count.intValue()));
                note(count.intValue());
            }
        } finally {
            send();
        }
    }

    private void note(int count) {
        boolean before;
        boolean now;
        try (var held = lock.hold()) {
            before = lacking;
            if (count < policy.count()) {
                lacking = true;
                lackedAt = clock.getAsLong();
            } else if (lacking) {
                lacking = clock.getAsLong() - lackedAt < SURE;
            }
            now = lacking;
        }
        if (!before && now) {
            LOG.warn(
                    "{} has {} of the {} replicas that are asked for: {}",
                    server,
                    count,
                    policy.count(),
                    policy.refuses() ? "no lock is granted or renewed" : "locks are granted, but not renewed");
        } else if (before && !now) {
            LOG.info("{} has enough replicas again", server);
        }
    }
}
