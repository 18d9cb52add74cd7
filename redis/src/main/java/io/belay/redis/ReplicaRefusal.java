package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Confirmation;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The refusal of grants that too few replicas have confirmed: the lock is given back, and who has asked for it is told why. A grant
 * that was pushed is picked up first, which asks the replicas, and told only then. Thread-safe.
 */
final class ReplicaRefusal {
    /**
     * What is known of the grants of one claim, which keeps its id over a yield. After that it has another grant, under a later
     * sequence. A renewal may give it a fresh sequence, too, but that is the same grant.
     *
     * @param confirmed the latest sequence of which the replicas have a grant; 0 for none
     * @param yielded the latest sequence that was given up
     * @param end when the claim expires, by this process's clock, as those of servers differ; 0 as long as no answer has told that
     */
    private record Grants(long confirmed, long yielded, long end) {
        static final Grants NONE = new Grants(0, 0, 0);

        Grants confirm(long sequence) {
            return new Grants(Math.max(confirmed, sequence), yielded, end);
        }

        Grants yield(long sequence) {
            return new Grants(confirmed, Math.max(yielded, sequence), end);
        }

        Grants until(long newEnd) {
            return new Grants(confirmed, yielded, newEnd);
        }

        /** Returns whether the replicas have the grant of that sequence. */
        boolean covers(long sequence) {
            return sequence <= confirmed || confirmed > yielded;
        }
    }

    private static final int FEW = 1_000;

    /** The time after its end for which a claim is not forgotten, in nanoseconds. */
    private static final long MARGIN = TimeUnit.MINUTES.toNanos(1);

    private final Settings settings;
    private final Function<Request, CompletionStage<Answer>> sender;
    private final LongSupplier clock;
    /** The grants of each claim that was entered and not left; one that stays taken for a while may end by itself. */
    private final Map<ClaimId, Grants> grants = new ConcurrentHashMap<>();
    /** The number of them from which on it is looked which have ended. */
    private volatile int most = FEW;

    /** @param sender sends a request, and checks its answer here */
    ReplicaRefusal(Settings settings, Function<Request, CompletionStage<Answer>> sender) {
        this(settings, sender, System::nanoTime);
    }

    ReplicaRefusal(Settings settings, Function<Request, CompletionStage<Answer>> sender, LongSupplier clock) {
        this.settings = settings;
        this.sender = sender;
        this.clock = clock;
    }

    /** Sends a request and returns the answer; fails if it is a grant that is not to be had. */
    CompletionStage<Answer> check(Request request, Supplier<CompletionStage<Answer>> send) {
        if (!settings.replicas().refuses() || !(request instanceof Request.OfClaim claim)) {
            return send.get();
        }
        ClaimId id = claim.id();
        if (request instanceof Request.Enter) {
            return first(id, send).thenCompose(answer -> checked(claim, answer));
        } else if (request instanceof Request.Yield yield) {
            // Before it is sent, as the next grant may be pushed ahead of its answer.
            grants.computeIfPresent(id, (key, known) -> known.yield(yield.sequence()));
        }
        return send.get().thenCompose(answer -> checked(claim, answer));
    }

    /**
     * Sends what may be the first that is heard of a claim. There is an entry before the answer, as a grant that is pushed ahead of
     * it is picked up meanwhile. Without an answer the entry goes again: perhaps no leave is ever answered either.
     */
    private CompletionStage<Answer> first(ClaimId id, Supplier<CompletionStage<Answer>> send) {
        boolean isNew = grants.putIfAbsent(id, Grants.NONE) == null;
        return send.get().whenComplete((answer, error) -> {
            if (error != null && isNew) {
                grants.remove(id, Grants.NONE); // unless it has grants by now
            }
        });
    }

    /** Returns the number of claims of which something is known. */
    int size() {
        return grants.size();
    }

    private CompletionStage<Answer> checked(Request.OfClaim request, Answer answer) {
        ClaimId id = request.id();
        Confirmation replicas = answer.confirmation();
        if (request instanceof Request.Enter) {
            forgetEnded();
            grants.putIfAbsent(id, Grants.NONE); // once more, as a leave before it may have been answered since
        }
        grants.computeIfPresent(id, (key, known) -> known.until(end(answer)));
        switch (answer.state()) {
            case GRANTED -> {
                if (replicas != null && !replicas.isShort()) {
                    grants.computeIfPresent(id, (key, known) -> known.confirm(answer.sequence()));
                } else if (replicas != null && !isConfirmed(id, answer.sequence())) {
                    return giveBack(request, replicas);
                }
            }
            case WAITING -> grants.computeIfPresent(id, (key, known) -> known.yield(answer.sequence() - 1));
            default -> grants.remove(id);
        }
        return CompletableFuture.completedFuture(answer);
    }

    private long end(Answer answer) {
        return clock.getAsLong() + TimeUnit.MICROSECONDS.toNanos(answer.deadline() - answer.time());
    }

    private void forgetEnded() {
        long now = clock.getAsLong();
        if (grants.size() > most) {
            grants.values().removeIf(known -> known.end != 0 && now - known.end > MARGIN);
            most = FEW + 2 * grants.size();
        }
    }

    private boolean isConfirmed(ClaimId id, long sequence) {
        return grants.getOrDefault(id, Grants.NONE).covers(sequence);
    }

    private CompletionStage<Answer> giveBack(Request.OfClaim claim, Confirmation replicas) {
        StoreException why = StoreException.unreachable(
                settings.line(
                        "has too few replicas that confirm a lock, " + replicas.replicas() + " of "
                                + replicas.wanted() + " within "
                                + settings.replicas().timeout().toMillis()
                                + " ms, so the lock was given back: bring them back, or leave replica-missing=refuse out of the URL"),
                null);
        return sender.apply(Request.Leave.of(claim.resource(), claim.id(), false))
                .handle((left, error) -> CompletableFuture.<Answer>failedFuture(why))
                .thenCompose(failed -> failed);
    }

    /** Tells of a push, of a grant only once the replicas have it. A grant that they have not is given back. */
    void pushed(Push push, Consumer<Push> listener) {
        if (!settings.replicas().refuses() || !push.granted() || isConfirmed(push.id(), push.sequence())) {
            listener.accept(push);
            return;
        }
        // A lease of a microsecond: what is left of the claim's own stays.
        first(push.id(), () -> sender.apply(Request.Renew.of(push.resource(), push.id(), push.sequence(), 1, 0, false)))
                .thenAccept(answer -> {
                    if (answer.state() == Answer.State.GRANTED) {
                        listener.accept(push);
                    }
                });
    }
}
