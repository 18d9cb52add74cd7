package io.belay.node;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.Capabilities;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Refusals;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import io.belay.support.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store of locks on a service that keeps ordered nodes: each claim has a node, and is granted when the nodes before
 * it leave room for it. The store hands nothing over; a waiter watches the nodes that keep it waiting, looks whether
 * its own node is there, and then holds. Nobody can pass over a waiter that is stopped or dead: it ends with its node.
 *
 * <p>A claim counts as held only while its node is there: the holder reads it with every renewal, and watches it once
 * it has held for a moment, so that it hears at once when somebody removes it.
 */
public final class NodeStore implements Store {
    /** The least time after which a claim whose end is over is left once more, in nanoseconds. */
    private static final long LEAVE_AGAIN = 1_000_000_000;

    private final Nodes nodes;
    private final LocalClock clock = new LocalClock();
    private final Resources resources;
    private final ConcurrentHashMap<ClaimId, NodeClaim> claims = new ConcurrentHashMap<>();
    private final SharedNodes shared = new SharedNodes();
    private final EndedClaims endedClaims = new EndedClaims();
    private final PerKeySequencer sequencer = new PerKeySequencer();
    /** The enters that wait for their turn, or are under way: one that is asked for again meanwhile is the same one. */
    private final UnderWay<NodeClaim, Optional<Position>> entering = new UnderWay<>();

    /** The looks that wait for their turn, with nothing behind them that they do not show: one is enough. */
    private final UnderWay<String, Snapshot> looks = new UnderWay<>();

    /** The readings of queues for those who wait in them, who ask again all together. */
    private final UnderWay<String, NodeQueue> rechecks = new UnderWay<>();

    private final ClaimWatcher claimWatcher;
    private final NodeWriter writer;
    private final EndMover mover;
    /** Those of claims whose ends were fixed. They are looked at when another one enters, so that they take no timer. */
    private final Endings endings = new Endings();

    /**
     * @param name names the thread of its timer
     * @param nodes the service, which is closed with the store
     */
    public NodeStore(String name, Nodes nodes, Listener listener) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(listener, "listener");
        this.nodes = Objects.requireNonNull(nodes, "nodes");
        resources = new Resources(nodes, clock);
        writer = new NodeWriter(nodes);
        claimWatcher = new ClaimWatcher(name, nodes, resources, listener, clock, claims);
        mover = new EndMover(nodes, claimWatcher);
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.none()
                .withPush(true)
                .withLeasePerClaim(nodes.leasePerClaim())
                .withDurableTokens(true)
                .withSharing(true);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        Objects.requireNonNull(request, "request");
        if (request instanceof Request.Renew renewal) {
            return renew(List.of(renewal)).get(0);
        }
        Moment asked = Moment.now();
        CompletionStage<Answer> answer = run(request, asked);
        return request instanceof Request.OfStay stay
                ? answer.thenCompose(told -> sure(stay.id(), told, asked))
                : answer;
    }

    /**
     * Answers until when a claim is there once that is known, if the machine seems to have been suspended since it was proven: a
     * wall clock that was put ahead looks the same, and nothing would be lost. A renewal, too, may be answered by a proof that was
     * asked for before it, for others.
     */
    private CompletionStage<Answer> sure(ClaimId id, Answer answer, Moment asked) {
        NodeClaim claim = claims.get(id);
        Node own = claim == null ? null : claim.own();
        if (claim == null || own == null || own.sequence() != answer.sequence() || !claim.isUnproven(asked)) {
            return CompletableFuture.completedStage(answer);
        }
        return nodes.renew(List.of(own), claim.isGranted()).get(0).thenApply(until -> {
            until.ifPresent(end -> claimWatcher.follow(claim, claim.renewed(end), true));
            return answer.withClaim(
                    answer.sequence(), clock.micros(claim.until().at(asked)));
        });
    }

    private CompletionStage<Answer> run(Request request, Moment asked) {
        if (request instanceof Request.Enter enter) {
            return enter.id().client() == ClaimId.NOBODY ? resources.enterForNobody(enter, asked) : enter(enter, asked);
        } else if (request instanceof Request.Yield yield) {
            return requeue(yield, asked);
        } else if (request instanceof Request.Leave leave) {
            return leave(leave, asked);
        } else if (request instanceof Request.Reweight reweight) {
            return resources.reweight(reweight, claims.get(reweight.id()), asked);
        } else if (request instanceof Request.Fix fix) {
            return fix(fix, asked);
        } else if (request instanceof Request.Skip skip) {
            return resources.present(skip.resource(), skip.id(), asked); // it can only go by itself
        } else if (request instanceof Request.Describe describe) {
            return describe(describe, asked);
        } else if (request instanceof Request.Resize resize) {
            return resources.resize(resize, asked);
        }
        return resources.evict(request.resource(), asked);
    }

    private CompletionStage<Answer> enter(Request.Enter request, Moment asked) {
        ClaimSpec spec = request.spec();
        if (spec.weight() > spec.capacity()) {
            return CompletableFuture.completedStage(
                    clock.refused(asked, Refusals.tooHeavy(spec.capacity(), spec.weight())));
        } else if (endedClaims.contains(request.id())) {
            return CompletableFuture.completedStage(clock.refused(asked, Refusals.ENDED));
        }
        leaveEnded();
        NodeClaim claim =
                claims.computeIfAbsent(request.id(), id -> new NodeClaim(request, claimWatcher::watch, shared));
        CompletionStage<Optional<Position>> standing =
                stand(claim).thenCompose(found -> resources.settled(request.resource(), found));
        return standing.thenCompose(found -> {
            if (found.isEmpty() || claims.get(request.id()) != claim) {
                return absent(claim, asked);
            }
            Position entry = found.get();
            // Of one that has entered before, a later capacity does not matter.
            String refusal = claim.hasEntered() ? null : refusal(request.spec(), entry.line());
            if (refusal != null) {
                claim.refused(entry.own());
                return withdraw(claim).thenApply(done -> clock.refused(asked, refusal));
            }
            Next next = claim.entered(entry);
            if (request.spec().ifFree() && claim.giveUp()) {
                return withdraw(claim).thenApply(done -> clock.answer(asked, State.BUSY));
            }
            claimWatcher.follow(claim, next, false);
            return answer(claim, asked);
        });
    }

    /** Answers an enter whose claim was left, or whose node went, meanwhile; nothing of the claim is to stay. */
    private CompletionStage<Answer> absent(NodeClaim claim, Moment asked) {
        claimWatcher.drop(claim);
        if (claims.containsKey(claim.request().id())) {
            return CompletableFuture.failedStage(
                    StoreException.unreachable("its node has gone, and another one is being made for it", null));
        }
        // A leave finds its node by itself, or has it refused; another one beside it could take it for lost.
        return endedClaims.contains(claim.request().id())
                ? CompletableFuture.completedStage(clock.refused(asked, Refusals.ENDED))
                : withdraw(claim).thenApply(done -> clock.answer(asked, State.GONE));
    }

    /** Finds the node that a claim has; makes one if it has none, or none any more. */
    private CompletionStage<Optional<Position>> stand(NodeClaim claim) {
        Node own = claim.own();
        return own == null
                ? make(claim, null)
                : claimWatcher
                        .find(claim)
                        .thenCompose(found ->
                                found.isPresent() ? CompletableFuture.completedStage(found) : make(claim, own));
    }

    private CompletionStage<Optional<Position>> make(NodeClaim claim, @Nullable Node gone) {
        String resource = claim.request().resource();
        return entering.join(claim, () -> {
            Details details = Details.of(claim.request());
            CompletionStage<Optional<Position>> entered =
                    sequencer.take(resource, () -> claim.sending(() -> enter(claim, gone, details)));
            looks.forget(resource);
            return entered;
        });
    }

    /** Sends an enter when it has its turn; {@code gone} is the node that the claim has no more, if it had one. */
    private CompletionStage<Optional<Position>> enter(NodeClaim claim, @Nullable Node gone, Details details) {
        Request.Enter request = claim.request();
        if (claims.get(request.id()) != claim) {
            return CompletableFuture.completedStage(Optional.empty()); // it was left while it waited for its turn
        }
        claim.noteEnter(); // before the look: either a yield that makes another node is told of this, or that is
        // seen here
        Node own = claim.own();
        if (own != null && (gone == null || !own.isSame(gone))) {
            return claimWatcher.find(claim);
        }
        CompletionStage<Optional<Position>> entered =
                nodes.enter(request.resource(), request.id(), request.spec().capacity(), details);
        if (claims.get(request.id()) == claim) {
            return entered; // a leave from now on finds it under way
        }
        return entered.thenCompose(found -> nodes.leave(request.resource(), request.id(), null, true))
                .thenApply(left -> Optional.empty());
    }

    private static @Nullable String refusal(ClaimSpec spec, NodeQueue line) {
        if (line.capacity() != spec.capacity()) {
            return Refusals.otherCapacity(line.capacity(), spec.capacity());
        }
        return spec.weight() <= line.capacity() ? null : Refusals.tooHeavy(line.capacity(), spec.weight());
    }

    private CompletionStage<Boolean> withdraw(NodeClaim claim) {
        // It stays known until its node is gone, so that it is found if it is asked for again before.
        return nodes.leave(claim.request().resource(), claim.request().id(), claim.own(), claim.isUnclear())
                .thenApply(left -> {
                    claimWatcher.drop(claim);
                    return left;
                });
    }

    @Override
    public List<CompletableFuture<Answer>> renew(List<Request.Renew> renewals) {
        Objects.requireNonNull(renewals, "renewals");
        Moment asked = Moment.now();
        List<CompletableFuture<Answer>> answers = new ArrayList<>(renewals.size());
        Renewing held = new Renewing(true);
        Renewing waiting = new Renewing(false);
        for (Request.Renew renewal : renewals) {
            NodeClaim claim = claims.get(renewal.id());
            Node own = claim == null ? null : claim.own();
            if (claim == null || own == null) {
                answers.add(CompletableFuture.completedFuture(clock.answer(asked, State.GONE)));
            } else if (own.sequence() != renewal.sequence() || claim.isFixed()) {
                answers.add(answer(claim, asked).toCompletableFuture());
            } else {
                answers.add((claim.isGranted() ? held : waiting).add(claim, own, renewal));
            }
        }
        held.send(asked);
        waiting.send(asked);
        return answers;
    }

    /** The renewals of one chunk whose claims are held, or those whose claims wait. */
    private final class Renewing {
        private final boolean held;
        private final List<NodeClaim> claims = new ArrayList<>();
        private final List<Node> own = new ArrayList<>();
        private final List<CompletableFuture<Answer>> answers = new ArrayList<>();

        Renewing(boolean held) {
            this.held = held;
        }

        CompletableFuture<Answer> add(NodeClaim claim, Node node, Request.Renew renewal) {
            claims.add(claim);
            own.add(node);
            if (held) {
                claimWatcher.showWaiters(claim, node, renewal.localWaiters());
            }
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            answers.add(answer);
            return answer;
        }

        void send(Moment asked) {
            if (claims.isEmpty()) {
                return;
            }
            List<? extends CompletionStage<Optional<Deadline>>> found = nodes.renew(own, held);
            for (int i = 0; i < claims.size(); i++) {
                NodeClaim claim = claims.get(i);
                Node node = own.get(i);
                CompletableFuture<Answer> answer = answers.get(i);
                found.get(i)
                        .thenCompose(until -> renewed(claim, node, until, asked))
                        .thenCompose(told -> sure(claim.request().id(), told, asked))
                        .whenComplete(Outcome.to(answer));
            }
        }
    }

    private CompletionStage<Answer> renewed(NodeClaim claim, Node own, Optional<Deadline> until, Moment asked) {
        if (until.isEmpty()) {
            // One that has another node since, or is about to, may not be found: whoever moves it will know what came
            // of that.
            return claimWatcher
                    .missing(claim)
                    .exceptionallyCompose(error -> claim.keeps(own)
                            ? CompletableFuture.failedStage(error)
                            : CompletableFuture.completedStage(false))
                    .thenCompose(gone -> answer(claim, asked));
        }
        claimWatcher.follow(claim, claim.renewed(until.get()), false);
        CompletionStage<?> done = claim.isGranted() ? resources.nothing() : recheck(claim);
        return done.thenCompose(ready -> answer(claim, asked));
    }

    /** Answers how a claim stands, which is told to be granted once its fixed lease, if it has one, has begun. */
    private CompletionStage<Answer> answer(NodeClaim claim, Moment asked) {
        Answer answer = claim.answer(clock, asked);
        if (answer.state() != State.GRANTED || claim.request().spec().fixedLease() == 0) {
            return CompletableFuture.completedStage(answer);
        }
        return mover.begin(claim).thenApply(done -> {
            Answer begun = claim.answer(clock, asked);
            // It has another node by now, or one that is changed again and again: the next request begins it.
            if (begun.state() == State.GRANTED && !claim.isFixed()) {
                throw StoreException.unreachable(
                        "the fixed lease of " + claim.request().id() + " has not begun", null);
            }
            return begun;
        });
    }

    private CompletionStage<Answer> fix(Request.Fix request, Moment asked) {
        NodeClaim claim = claims.get(request.id());
        Node own = claim == null ? null : claim.own();
        if (claim == null || own == null) {
            return resources.present(request.resource(), request.id(), asked);
        } else if (own.sequence() != request.sequence() || !claim.isGranted()) {
            return answer(claim, asked);
        }
        CompletionStage<Void> made = mover.fix(claim, request);
        endings.add(request.id(), System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(request.lease()));
        return made.thenCompose(done -> answer(claim, asked));
    }

    /** Leaves the claims whose fixed ends are over: who fixed them may not ask for them again. */
    private void leaveEnded() {
        long now = System.nanoTime();
        List<NodeClaim> ended = new ArrayList<>(0);
        for (ClaimId id : endings.take(now)) {
            NodeClaim claim = claims.get(id);
            // What is to stay taken is not left by its end before, while that is being moved.
            Deadline end = claim == null ? null : claim.end().latest();
            if (claim != null && end != null && end.end() - now <= 0) {
                ended.add(claim);
            } else if (claim != null) {
                endings.add(id, end == null ? now + LEAVE_AGAIN : end.end());
            }
        }
        // Behind that: one that cannot be left now is looked at again.
        ended.forEach(claim -> withdraw(claim).exceptionally(error -> {
            leaveAgain(claim, error);
            return false;
        }));
    }

    /** Has a claim whose end is over left once more, soon: after an outage its lease may have its whole time anew. */
    private void leaveAgain(NodeClaim claim, Throwable error) {
        Throwable cause = error;
        while (cause instanceof CompletionException) {
            cause = cause.getCause();
        }
        if (!(cause instanceof StoreException known) || !known.isTemporary()) {
            claimWatcher.drop(claim); // its lease ends it
        } else {
            endings.add(claim.request().id(), System.nanoTime() + LEAVE_AGAIN);
        }
    }

    /** Reads again what a claim waits for, as changes may have gone untold. */
    private CompletionStage<?> recheck(NodeClaim claim) {
        Request.Enter request = claim.request();
        if (request.spec().capacity() < Resource.WHOLE) {
            String resource = request.resource();
            return rechecks.join(resource, () -> resources.line(resource, false))
                    .thenCompose(line -> {
                        int at = line.find(request.id());
                        if (at >= 0 && line.set().shutsOut(line.nodes().get(at))) {
                            return withdraw(claim).thenAccept(left -> {}); // it can never be granted
                        }
                        claimWatcher.follow(claim, claim.looked(line), false);
                        return resources.nothing();
                    });
        }
        return claimWatcher.reread(claim, claim.blockers()).thenAccept(next -> claimWatcher.follow(claim, next, false));
    }

    private CompletionStage<Answer> requeue(Request.Yield request, Moment asked) {
        NodeClaim claim = claims.get(request.id());
        Node own = claim == null ? null : claim.own();
        if (claim == null || own == null) {
            return CompletableFuture.completedStage(clock.answer(asked, State.GONE));
        } else if (own.sequence() != request.sequence()
                || !claim.isGranted()
                || claim.request().spec().fixedLease() > 0
                || claim.isFixed()) {
            return answer(claim, asked);
        }
        claim.moves();
        return resources
                .nothing()
                .thenCompose(now -> nodes.requeue(
                        request.resource(), own, own.details().unmarked(request.localWaiters()), claim.isUnclear()))
                .thenApply(moved -> {
                    moved.ifPresent(entry -> claimWatcher.follow(claim, claim.entered(entry), false));
                    return moved.isPresent();
                })
                .whenComplete((moved, error) -> claim.moved())
                .thenCompose(moved -> moved ? CompletableFuture.completedStage(true) : claimWatcher.missing(claim))
                .thenApply(done -> claim.answer(clock, asked));
    }

    private CompletionStage<Answer> describe(Request.Describe request, Moment asked) {
        NodeClaim claim = claims.get(request.id());
        Node own = claim == null ? null : claim.own();
        if (claim == null || own == null) {
            return resources.present(request.resource(), request.id(), asked);
        } else if (own.sequence() != request.sequence()) {
            return answer(claim, asked);
        }
        return writer.change(own, details -> details.ownedBy(clock.shown(request.owner(), asked)))
                .thenCompose(now -> {
                    now.ifPresent(claim::written);
                    return now.isPresent() ? CompletableFuture.completedStage(true) : claimWatcher.missing(claim);
                })
                .thenCompose(done -> answer(claim, asked));
    }

    private CompletionStage<Answer> leave(Request.Leave request, Moment asked) {
        NodeClaim claim = claims.remove(request.id());
        Node own = claim == null || claim.isMoving() ? null : claim.own();
        if (claim != null) {
            claim.finish();
            endings.remove(request.id());
        }
        if (request.unclear()) {
            endedClaims.add(request.id());
        }
        // Behind an enter that is just being sent: the service finds that under way then.
        CompletionStage<Void> sent = claim == null ? resources.nothing() : claim.sent();
        CompletionStage<Boolean> leaving = sequencer.precede(
                request.resource(),
                sent.thenCompose(now -> nodes.leave(request.resource(), request.id(), own, request.unclear())));
        looks.forget(request.resource());
        return leaving.thenApply(left -> clock.answer(asked, left ? State.LEFT : State.GONE));
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        Objects.requireNonNull(resource, "resource");
        return looks.join(
                        resource,
                        () -> sequencer.take(resource, () -> {
                            looks.forget(resource);
                            return resources.inspect(resource);
                        }))
                .thenApply(Function.identity()); // each its own, as it may be cancelled
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(cursor, "cursor");
        return nodes.names(prefix, cursor);
    }

    @Override
    public void close() {
        claimWatcher.stop();
        claims.values().forEach(NodeClaim::finish);
        nodes.close();
    }
}
