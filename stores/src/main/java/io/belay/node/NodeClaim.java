package io.belay.node;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.support.Moment;
import io.belay.support.Mutex;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of a claim of this client that has a node: the nodes before it, which of them it waits for, and whether it
 * is granted. What is granted stays granted as long as the node is there. Thread-safe.
 */
final class NodeClaim {
    private final Mutex lock = new Mutex();
    private final Request.Enter request;
    private final Predecessors before;

    private volatile @Nullable Node own;
    private Deadline until = Deadline.over();
    private Capacity set = Capacity.NONE;
    private volatile boolean granted;
    private boolean waited;
    /** The end of its node, where that is fixed. */
    private volatile FixedEnd end = new FixedEnd();

    private final Reweighting reweighting = new Reweighting();

    private volatile boolean wanted;
    private boolean ended;
    /** True once the owner was told that the resource is not free. */
    private boolean givenUp;

    private CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);

    private final AtomicInteger moving = new AtomicInteger();
    private volatile int enters;
    private volatile boolean entered;

    /** A way to watch a node for a claim. */
    interface Watches {
        Nodes.Watch on(NodeClaim claim, Node node);
    }

    NodeClaim(Request.Enter request, Watches watches, SharedNodes shared) {
        this.request = request;
        before = new Predecessors(node -> watches.on(this, node), shared);
    }

    Request.Enter request() {
        return request;
    }

    /** Returns whether the resource may get another capacity while the claim waits: then that is to be read as well. */
    boolean isResizable() {
        return request.spec().capacity() < Resource.WHOLE;
    }

    /** Runs what sends an enter of the claim unless it sees that it was left; whoever leaves it meanwhile sees this. */
    <T> T sending(Supplier<T> enter) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try (var held = lock.hold()) {
            sent = done;
        }
        try {
            return enter.get();
        } finally {
            done.complete(null);
        }
    }

    /** Returns what is done once no enter of the claim is just being sent. */
    CompletionStage<Void> sent() {
        try (var held = lock.hold()) {
            return sent;
        }
    }

    /** Notes that an enter of the claim is sent to the service. */
    void noteEnter() {
        try (var held = lock.hold()) {
            enters++;
        }
    }

    /** Returns whether a first enter may still be on its way. */
    boolean isUnclear() {
        return enters > 1;
    }

    /** Returns the claim's node; null before it has entered, and after its end. */
    @Nullable
    Node own() {
        return own;
    }

    boolean isGranted() {
        return granted;
    }

    /** Returns whether the claim is granted, and its owner is to be told when somebody else wants the resource. */
    boolean isToBeWanted() {
        try (var held = lock.hold()) {
            return granted && request.spec().sticky() && end.lease() == null && !wanted && !ended;
        }
    }

    boolean isFixed() {
        return end.lease() != null;
    }

    /** Returns the end of the claim under its present node. */
    FixedEnd end() {
        return end;
    }

    /** Returns the end of the claim under that node; one that counts for nothing if the claim has another node by now. */
    FixedEnd end(Node node) {
        try (var held = lock.hold()) {
            Node present = own;
            return present != null && present.isSame(node) ? end : new FixedEnd();
        }
    }

    /** Returns the change of the claim's weight that is under way. */
    Reweighting reweighting() {
        return reweighting;
    }

    /** Returns whether the claim was granted after a wait, which those behind it see only if its node says so. */
    boolean isToBeMarked() {
        try (var held = lock.hold()) {
            Node node = own;
            return granted
                    && waited
                    && node != null
                    && node.weight() < (set.isSet() ? set.size() : node.capacity())
                    && !node.details().marked();
        }
    }

    /** Returns whether the claim has entered: it was not refused. */
    boolean hasEntered() {
        return entered;
    }

    /** Notes the node of a claim that is refused: if it cannot be ended now, no other one is to be made beside it. */
    void refused(Node node) {
        own = node;
    }

    /** Notes that the claim's node was made, found or made anew: what was true under another sequence is so no more. */
    Next entered(Position entry) {
        try (var held = lock.hold()) {
            Node last = own;
            // By their sequences: orders of two readings need not go together, as where a service counts from the start
            // again.
            if (ended || (last != null && last.sequence() > entry.own().sequence())) {
                return Next.NOTHING; // an answer that was overtaken
            }
            if (last == null || !last.isSame(entry.own())) {
                granted = false;
                waited = false;
                wanted = false;
                end = new FixedEnd();
            }
            Node present = entry.own();
            if (last != null && last.isSame(present) && last.version() > present.version()) {
                present = last; // of two readings of one node the older one may come later
            }
            own = present;
            end.seen(present.details().reweights());
            entered = true;
            until = entry.until();
            return looked(entry.line());
        }
    }

    /** Notes the nodes of the resource as they were read while the claim's own was there. */
    Next looked(NodeQueue line) {
        try (var held = lock.hold()) {
            int at = find(line);
            if (at < 0) {
                return Next.NOTHING;
            }
            set = line.set();
            before.set(granted ? List.of() : line.nodes().subList(0, at));
            wanted |= request.spec().sticky() && line.nodes().size() > Math.max(at + 1, line.granted());
            return proceed(true, true);
        }
    }

    /**
     * Notes which nodes there are, and the capacity, after the nodes before the claim's own were read: they weigh no more by
     * now, as permits are only given back. Empty if the claim's own is not among them.
     */
    Optional<Next> listed(NodeQueue line) {
        try (var held = lock.hold()) {
            int at = find(line);
            if (at < 0) {
                return Optional.empty();
            }
            set = line.set();
            before.keep(granted ? List.of() : line.nodes().subList(0, at));
            return Optional.of(proceed(true, true));
        }
    }

    /** Returns the index of the claim's own node, or -1. Another one of its id, of a session that is over, may go any time. */
    private int find(NodeQueue line) {
        Node node = own;
        return node == null ? -1 : line.find(node);
    }

    /** Looks again at what was known before. */
    Next reviewed() {
        try (var held = lock.hold()) {
            return proceed(false, false);
        }
    }

    /** Returns the nodes before the claim's own, as far as they are known; none once it is granted. */
    List<Node> ahead() {
        return before.nodes();
    }

    /** Notes how a node before the claim's own is now, or that it is gone. */
    Next saw(Node seen, Optional<Node> now) {
        try (var held = lock.hold()) {
            before.note(seen, now);
            return now.isEmpty() && isNextUnknown() ? Next.READ : proceed(false, false);
        }
    }

    /** Returns whether the claim would wait for a node that it has not watched so far, which may be gone long since. */
    private boolean isNextUnknown() {
        Node node = own;
        return !ended && !granted && node != null && before.isAnyUnwatched(before.blockers(node, set));
    }

    /** Notes nodes before the claim's own as they were read. */
    Next read(List<Node> seen, List<Optional<Node>> now) {
        try (var held = lock.hold()) {
            boolean all = before.nodes().equals(seen) && !isResizable();
            for (int i = 0; i < seen.size(); i++) {
                before.note(seen.get(i), now.get(i));
            }
            return proceed(all, false);
        }
    }

    /** Notes until when the claim's own node is there. */
    Next renewed(Deadline newUntil) {
        try (var held = lock.hold()) {
            until = newUntil;
            return proceed(false, true);
        }
    }

    /** Does the same after the nodes before the claim's own were read as they are, since none of them is in its way. */
    Next confirmed(Deadline newUntil) {
        try (var held = lock.hold()) {
            until = newUntil;
            return proceed(true, true);
        }
    }

    /**
     * Grants the claim if that can be.
     *
     * @param known whether the nodes before its own, and the capacity, are known as they are now, and not as they were once
     * @param there whether its own node is known to be there
     */
    private Next proceed(boolean known, boolean there) {
        Node node = own;
        if (ended || granted || givenUp || node == null) {
            return Next.NOTHING;
        }
        if (set.isChanging()) {
            return Next.CONFIRM;
        } else if (set.shutsOut(node)) {
            return Next.SHUT_OUT;
        }
        List<Node> blockers = before.blockers(node, set);
        before.watch(blockers);
        if (!blockers.isEmpty()) {
            waited = true;
            return Next.NOTHING;
        }
        boolean free = before.nodes().isEmpty()
                ? known || !isResizable()
                : known && before.nodes().stream().allMatch(Node::isRead);
        granted = free && (there || isSurelyThere());
        if (!granted) {
            return Next.CONFIRM;
        }
        before.set(List.of()); // nothing depends on them any more
        return Next.GRANTED;
    }

    /**
     * Returns whether the claim's own node has surely not ended by itself: to look costs as much as to hand over. If
     * somebody has removed it by force, the claim finds that out as a holder does.
     */
    private boolean isSurelyThere() {
        return until.byNow() - System.nanoTime()
                > TimeUnit.MICROSECONDS.toNanos(request.spec().lease()) / 2;
    }

    /** Returns what keeps the claim waiting: to be read again now and then, as changes may have gone untold. */
    List<Node> blockers() {
        try (var held = lock.hold()) {
            Node node = own;
            return granted || node == null ? List.of() : before.blockers(node, set);
        }
    }

    /**
     * Begins another watch for the claim, and keeps it under a name of its own until the claim ends or one of that name follows.
     * It has its place before it begins: what it tells may have the one that follows begin before this call goes on.
     */
    void keep(String name, Supplier<Nodes.Watch> watch) {
        CompletableFuture<Nodes.Watch> place = new CompletableFuture<>();
        try (var held = lock.hold()) {
            if (ended) {
                return;
            }
            before.keep(name, () -> place.thenAccept(Nodes.Watch::cancel));
        }
        place.complete(watch.get());
    }

    /** Notes that another node is asked for in the place of the claim's own, which may be gone before that is told. */
    void moves() {
        moving.incrementAndGet();
    }

    /** Notes that this was told, or failed. */
    void moved() {
        moving.decrementAndGet();
    }

    boolean isMoving() {
        return moving.get() > 0;
    }

    /** Returns whether the claim's own node is that one, and none is asked for in its place. */
    boolean keeps(Node node) {
        Node present = own;
        return present != null && present.isSame(node) && !isMoving();
    }

    /** Notes that the details of the claim's node were written; what was written later may be known already. */
    void written(Node now) {
        try (var held = lock.hold()) {
            Node known = own;
            if (known != null && known.isSame(now) && known.version() < now.version()) {
                own = now;
                end.seen(now.details().reweights());
            }
        }
    }

    /**
     * Gives the claim up unless it is granted: then it is not granted any more, whatever another enter of it finds.
     * Returns whether it is given up.
     */
    boolean giveUp() {
        try (var held = lock.hold()) {
            return givenUp |= !granted;
        }
    }

    /** Ends the claim, which was left, or whose node is gone. */
    void finish() {
        try (var held = lock.hold()) {
            ended = true;
            own = null;
            before.end();
        }
    }

    /** Returns how the claim stands. Who asked counts by itself what the machine has slept since. */
    Answer answer(LocalClock clock, Moment asked) {
        try (var held = lock.hold()) {
            Node node = own;
            if (node == null) {
                return clock.answer(asked, State.GONE);
            }
            return Answer.of(granted ? State.GRANTED : State.WAITING, clock.micros(asked))
                    .withClaim(node.sequence(), clock.micros(lastsUntil().at(asked)))
                    .withReweights(reweighting.shown(node))
                    .withPlace(granted ? 0 : new NodeQueue(set, before.nodes()).waiting() + 1)
                    .withQueue(0, wanted ? 1 : 0);
        }
    }

    /** Returns until when the claim is there. */
    Deadline until() {
        try (var held = lock.hold()) {
            return lastsUntil();
        }
    }

    /** Returns whether the machine seems to have been suspended between the last proof that the node lasts and an instant. */
    boolean isUnproven(Moment instant) {
        try (var held = lock.hold()) {
            return end.lease() == null && until.at(instant) - until.end() < 0;
        }
    }

    private Deadline lastsUntil() {
        Deadline fixed = end.lease();
        return fixed == null ? until : fixed;
    }

    /** Notes that somebody wants what the claim has under that node; returns whether the claim still has it. */
    boolean want(Node node) {
        try (var held = lock.hold()) {
            Node present = own;
            wanted |= granted && present != null && present.isSame(node);
            return wanted;
        }
    }

    boolean isWanted() {
        return wanted;
    }
}
