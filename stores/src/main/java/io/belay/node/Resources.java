package io.belay.node;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.Refusals;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The requests about a whole resource, whoever makes them: to look at it, to change weights, to end holds by force. */
final class Resources {
    /** The most attempts to change something beside other changes of the same. */
    private static final int ATTEMPTS = 5;

    private final Nodes nodes;
    private final NodeWriter writer;
    private final LocalClock clock;

    Resources(Nodes nodes, LocalClock clock) {
        this.nodes = nodes;
        writer = new NodeWriter(nodes);
        this.clock = clock;
    }

    CompletionStage<Void> nothing() {
        return CompletableFuture.completedFuture(null);
    }

    /** Reads a resource, after a change of its capacity has been brought to its end, if one is under way. */
    CompletionStage<NodeQueue> line(String resource, boolean whole) {
        return line(resource, whole, ATTEMPTS);
    }

    private CompletionStage<NodeQueue> line(String resource, boolean whole, int attempts) {
        return nodes.list(resource, whole)
                .thenCompose(line -> isSettled(line)
                        ? CompletableFuture.completedStage(line)
                        : settle(resource)
                                .thenCompose(done -> attempts > 1
                                        ? line(resource, whole, attempts - 1)
                                        : CompletableFuture.failedStage(StoreException.unreachable(
                                                "the capacity of '" + resource + "' is changed again and again",
                                                null))));
    }

    private static boolean isSettled(NodeQueue line) {
        return line.settled().equals(line.set());
    }

    /** Returns an entry after a change of the capacity has been brought to its end. */
    CompletionStage<Optional<Position>> settled(String resource, Optional<Position> found) {
        if (found.isEmpty() || isSettled(found.get().line())) {
            return CompletableFuture.completedStage(found);
        }
        Node own = found.get().own();
        return line(resource, true).thenApply(line -> {
            int at = line.find(own);
            return at < 0
                    ? Optional.empty()
                    : Optional.of(
                            new Position(line, line.nodes().get(at), found.get().until()));
        });
    }

    /** Brings a change of the capacity to its end, unless somebody else does. */
    private CompletionStage<?> settle(String resource) {
        return nodes.list(resource, true).thenCompose(line -> write(resource, line, line.settled()));
    }

    private CompletionStage<Boolean> write(String resource, NodeQueue line, Capacity next) {
        return next.equals(line.set())
                ? CompletableFuture.completedStage(true)
                : nodes.resize(resource, line.set(), next);
    }

    /**
     * Enters a claim that no client owns, and that waits for nothing: it is granted at once or ended. Where there is no room
     * no node is made, as nothing would end it if this process did not.
     */
    CompletionStage<Answer> enterForNobody(Request.Enter request, Moment asked) {
        return nodes.list(request.resource(), true).thenCompose(line -> {
            long sum = line.weightOfOthers(-1, line.nodes().size())
                    + request.spec().weight();
            boolean hasRoom = line.nodes().isEmpty() || sum <= line.capacity();
            return hasRoom || line.find(request.id()) >= 0
                    ? makeForNobody(request, asked, ATTEMPTS)
                    : CompletableFuture.completedStage(noRoomForNobody(line, request, asked));
        });
    }

    private CompletionStage<Answer> makeForNobody(Request.Enter request, Moment asked, int attempts) {
        return nodes.enter(request.resource(), request.id(), request.spec().capacity(), Details.of(request))
                .thenCompose(found -> found.isEmpty()
                        ? notMade(request, asked, attempts)
                        : madeForNobody(found.get().line(), request, asked));
    }

    /** Goes on after an enter whose claim was left before it came, or which another one of nobody was faster than. */
    private CompletionStage<Answer> notMade(Request.Enter request, Moment asked, int attempts) {
        return nodes.list(request.resource(), true).thenCompose(line -> {
            boolean other = line.nodes().stream().anyMatch(node -> node.id().client() == ClaimId.NOBODY);
            if (!other && attempts > 1) {
                return makeForNobody(request, asked, attempts - 1); // it may have gone meanwhile
            }
            return CompletableFuture.completedStage(
                    other ? noRoomForNobody(line, request, asked) : clock.refused(asked, Refusals.ENDED));
        });
    }

    private CompletionStage<Answer> madeForNobody(NodeQueue line, Request.Enter request, Moment asked) {
        int at = line.find(request.id());
        if (line.capacity() == request.spec().capacity() && at >= 0 && at < line.granted()) {
            return CompletableFuture.completedStage(answer(line, at, asked, null));
        }
        Answer answer = noRoomForNobody(line, request, asked);
        return nodes.leave(request.resource(), request.id(), null, false).thenApply(left -> answer);
    }

    private Answer noRoomForNobody(NodeQueue line, Request.Enter request, Moment asked) {
        int capacity = request.spec().capacity();
        return line.capacity() == capacity
                ? clock.answer(asked, State.BUSY)
                : clock.refused(asked, Refusals.otherCapacity(line.capacity(), capacity));
    }

    /** Answers how a claim stands, of whichever client. */
    CompletionStage<Answer> present(String resource, ClaimId id, Moment asked) {
        return nodes.list(resource, true).thenApply(line -> {
            int at = line.find(id);
            return at < 0 ? clock.answer(asked, State.GONE) : answer(line, at, asked, null);
        });
    }

    private Answer answer(NodeQueue line, int at, Moment asked, @Nullable String refusal) {
        Node node = line.nodes().get(at);
        int granted = line.granted();
        return Answer.of(at < granted ? State.GRANTED : State.WAITING, clock.micros(asked))
                .withClaim(node.sequence(), clock.micros(asked) + lease(node.details()))
                .withReweights(node.details().reweights())
                .withPlace(Math.max(0, at - granted + 1))
                .withQueue(0, line.nodes().size() - granted - (at < granted ? 0 : 1))
                .withRefusal(refusal);
    }

    private static long lease(Details details) {
        return details.fixedLease() > 0 ? details.fixedLease() : details.lease();
    }

    /** Changes the weight of a claim; {@code claim} is that claim if it is one of this client's. */
    CompletionStage<Answer> reweight(Request.Reweight request, @Nullable NodeClaim claim, Moment asked) {
        return reweight(request, claim, asked, ATTEMPTS);
    }

    private CompletionStage<Answer> reweight(
            Request.Reweight request, @Nullable NodeClaim claim, Moment asked, int attempts) {
        return nodes.list(request.resource(), true).thenCompose(line -> {
            int at = line.find(request.id());
            if (at < 0) {
                return CompletableFuture.completedStage(clock.answer(asked, State.GONE));
            }
            Node node = line.nodes().get(at);
            boolean granted = at < line.granted() || (claim != null && claim.isGranted());
            Reweighting changes = claim == null ? new Reweighting() : claim.reweighting();
            Reweighting.Attempt attempt = granted ? changes.begin(node, request) : null;
            if (attempt == null) {
                return CompletableFuture.completedStage(told(claim, line, at, asked, null));
            }
            String noRoom = attempt.isRaise() ? noRoom(line, at, attempt.before(), request.weight()) : null;
            if (noRoom != null && changes.cancel(attempt)) {
                return CompletableFuture.completedStage(told(claim, line, at, asked, noRoom));
            }
            Written written = new Written(request, claim, changes, attempt, asked);
            String refusal = changes.refuse(attempt, noRoom);
            if (refusal != null) {
                return takeBack(written, node, refusal); // as a copy may have written it, or may do so yet
            }
            // Also if a copy has written it: what else is on its way for the node as it was does nothing then.
            return nodes.write(node, node.details().reweighted(request.weight(), request.reweights() + 1))
                    .thenCompose(now -> {
                        if (now.isPresent()) {
                            return check(written, now.get());
                        }
                        // Unless it is made now, its owner takes it for refused.
                        return attempts > 1
                                ? reweight(request, claim, asked, attempts - 1)
                                : standing(request, claim, asked, null);
                    });
        });
    }

    /** A change of weight that a node has, or may have. */
    private record Written(
            Request.Reweight request,
            @Nullable NodeClaim claim,
            Reweighting changes,
            Reweighting.Attempt attempt,
            Moment asked) {
        void note(Node now) {
            if (claim != null) {
                claim.written(now);
            }
        }
    }

    /** Tells what becomes of a change that was written. */
    private CompletionStage<Answer> check(Written written, Node now) {
        Request.Reweight request = written.request;
        Reweighting.Attempt attempt = written.attempt;
        written.note(now);
        if (!attempt.isRaise()) {
            written.changes.decide(attempt, null);
            return standing(request, written.claim, written.asked, null);
        }
        // Somebody may have been granted before this was written: then it is taken back.
        return nodes.list(request.resource(), true).thenCompose(line -> {
            int at = line.find(request.id());
            if (at < 0) {
                return CompletableFuture.completedStage(clock.answer(written.asked, State.GONE));
            }
            String noRoom = noRoom(line, at, attempt.before(), request.weight());
            String refusal = written.changes.decide(attempt, noRoom);
            return refusal == null
                    ? CompletableFuture.completedStage(told(written.claim, line, at, written.asked, null))
                    : takeBack(written, now, refusal);
        });
    }

    /** Takes a raise back, or sees to it that no copy that is still on its way makes it. */
    private CompletionStage<Answer> takeBack(Written written, Node node, String refusal) {
        Request.Reweight request = written.request;
        return writer.change(node, details -> written.changes.takenBack(written.attempt, details))
                .thenCompose(back -> {
                    back.ifPresent(now -> {
                        written.note(now); // before its end is noted: no answer is to show what was taken back
                        written.changes.end(written.attempt);
                    });
                    return standing(request, written.claim, written.asked, refusal)
                            .thenApply(answer -> {
                                if (back.isEmpty() && answer.state() != State.GONE) {
                                    throw StoreException.unreachable(
                                            "the node of " + request.id() + " is changed again and again", null);
                                }
                                return answer;
                            });
                });
    }

    /** Tells how the claim stands by now. */
    private CompletionStage<Answer> standing(
            Request.Reweight request, @Nullable NodeClaim claim, Moment asked, @Nullable String refusal) {
        return nodes.list(request.resource(), true).thenApply(line -> {
            int at = line.find(request.id());
            return at < 0 ? clock.answer(asked, State.GONE) : told(claim, line, at, asked, refusal);
        });
    }

    /** Returns why there is no room for a weight beside those granted while it is what it was; null if there is. */
    private static @Nullable String noRoom(NodeQueue line, int at, int weight, int wanted) {
        List<Node> all = new ArrayList<>(line.nodes());
        Node node = all.get(at);
        all.set(at, node.with(node.version(), node.details().reweighted(weight, 0)));
        NodeQueue before = new NodeQueue(line.set(), all);
        long others = before.weightOfOthers(at, Math.max(at + 1, before.granted()));
        return others + wanted > line.capacity() ? Refusals.noRoom(line.capacity(), others, wanted) : null;
    }

    /** Answers by this client's own claim, if there is one: it knows better until when it is there, and what is decided. */
    private Answer told(@Nullable NodeClaim claim, NodeQueue line, int at, Moment asked, @Nullable String refusal) {
        Answer answer = answer(line, at, asked, refusal);
        if (claim == null) {
            return answer;
        }
        claim.written(line.nodes().get(at));
        return claim.answer(clock, asked).withQueue(0, answer.waiters()).withRefusal(refusal);
    }

    /** Sets the capacity, or forgets it: a claim that enters meanwhile goes on with it, as its node says what it is. */
    CompletionStage<Answer> resize(Request.Resize request, Moment asked) {
        return resize(request, asked, ATTEMPTS);
    }

    private CompletionStage<Answer> resize(Request.Resize request, Moment asked, int attempts) {
        String resource = request.resource();
        return line(resource, false).thenCompose(line -> {
            boolean forgets = request.capacity() == 0;
            if (forgets && (!line.set().isSet() || !line.nodes().isEmpty())) {
                return CompletableFuture.completedStage(clock.answer(asked, State.GONE));
            } else if (!forgets
                    && line.capacity() == Resource.WHOLE
                    && !line.nodes().isEmpty()) {
                String refusal =
                        Refusals.otherCapacity(Resource.WHOLE, request.capacity()); // it is in use as something else
                return CompletableFuture.completedStage(clock.refused(asked, refusal));
            }
            return write(resource, line, line.set().resized(request.capacity())).thenCompose(done -> {
                if (done) {
                    // Whoever looks next would bring it to its end as well.
                    return line(resource, false)
                            .thenApply(now -> clock.answer(asked, forgets ? State.LEFT : State.GONE));
                } else if (attempts > 1) {
                    return resize(request, asked, attempts - 1);
                }
                throw StoreException.unreachable("the capacity of '" + resource + "' is changed again and again", null);
            });
        });
    }

    CompletionStage<Answer> evict(String resource, Moment asked) {
        return evict(resource, asked, ATTEMPTS);
    }

    private CompletionStage<Answer> evict(String resource, Moment asked, int attempts) {
        return line(resource, true).thenCompose(line -> {
            List<Node> holders = line.nodes().subList(0, line.granted());
            return nodes.remove(resource, holders).thenCompose(any -> {
                if (any || holders.isEmpty()) {
                    return CompletableFuture.completedStage(clock.answer(asked, any ? State.LEFT : State.GONE));
                } else if (attempts > 1) {
                    return evict(resource, asked, attempts - 1); // it was handed on, or has another node, since
                }
                throw StoreException.unreachable("the holders of '" + resource + "' change again and again", null);
            });
        });
    }

    /** Reads a resource as it is, for people: who only looks changes nothing, and needs no right to. */
    CompletionStage<Store.Snapshot> inspect(String resource) {
        return nodes.list(resource, true).thenApply(line -> {
            long now = System.currentTimeMillis() * 1000;
            return Store.Snapshot.of(
                    now,
                    line.isEmpty()
                            ? Optional.empty()
                            : Optional.of(line.resource(node -> now + lease(node.details()))));
        });
    }
}
