package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.Confirmation;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks how many replicas have what a connection has written. A WAIT speaks of all that its own connection wrote
 * before, and holds up what comes behind it there: so there is one at a time, and all grants that come meanwhile share
 * the next.
 */
final class ReplicaWait {
    private static final Log LOG = Log.of(LogName.STORE);

    private final ReentrantLock lock = new ReentrantLock();
    private final Link link;
    private final ReplicaPolicy policy;

    // Guarded by this object's lock.
    private boolean underWay;
    private @Nullable CompletableFuture<Integer> next;
    private boolean enough = true;

    ReplicaWait(Link link, ReplicaPolicy policy) {
        this.link = link;
        this.policy = policy;
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
        boolean granted = answers.stream().anyMatch(answer -> answer != null && isGrant(answer));
        CompletableFuture<Integer> replicas =
                policy.asks() && granted ? confirmed() : CompletableFuture.completedFuture(0);
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
                replicas.whenComplete((count, error) -> {
                    if (error == null) {
                        told.complete(tell(answer, count));
                    } else {
                        told.completeExceptionally(error);
                    }
                });
            }
        }
    }

    private static boolean isGrant(Answer answer) {
        return answer.state() == Answer.State.GRANTED;
    }

    private Answer tell(Answer answer, int count) {
        return answer.confirmedBy(Confirmation.of(count, policy.count()));
    }

    private CompletableFuture<Integer> confirmed() {
        CompletableFuture<Integer> mine;
        lock.lock();
        try {
            if (next == null) {
                next = new CompletableFuture<>();
            }
            mine = next;
            if (underWay) {
                return mine;
            }
            underWay = true;
        } finally {
            lock.unlock();
        }
        send();
        return mine;
    }

    private void send() {
        CompletableFuture<Integer> all;
        lock.lock();
        try {
            if (next == null) {
                underWay = false;
                return;
            }
            all = next;
            next = null;
        } finally {
            lock.unlock();
        }
        link.awaitReplicas(policy.count(), policy.timeout()).whenComplete((count, error) -> {
            if (error == null) {
                note(count.intValue());
                all.complete(count.intValue());
            } else {
                all.completeExceptionally(error);
            }
            send();
        });
    }

    private void note(int count) {
        boolean before;
        lock.lock();
        try {
            before = enough;
            enough = count >= policy.count();
        } finally {
            lock.unlock();
        }
        if (before && count < policy.count()) {
            LOG.warn(
                    "{} has {} of the {} replicas that are asked for: locks are granted, but not renewed",
                    link.failures().address(),
                    count,
                    policy.count());
        } else if (!before && count >= policy.count()) {
            LOG.info("{} has enough replicas again", link.failures().address());
        }
    }
}
