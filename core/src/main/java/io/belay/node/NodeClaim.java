package io.belay.node;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.Request;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a claim of this client that has a node: those before it, which of them it waits for, and whether it is
 * granted. What is granted stays granted as long as the node is there. Thread-safe.
 */
final class NodeClaim {
    private final ReentrantLock lock = new ReentrantLock();
    private final Request.Enter request;
    private final Predecessors before;

    private volatile @Nullable Node own;
    private long until;
    private int capacity;
    private volatile boolean granted;
    private boolean waited;
    /** Its fixed lease, once that has begun. */
    private volatile @Nullable FixedLease fixed;

    private volatile boolean wanted;
    private boolean ended;
    /** Its owner was told that it is not free. */
    private boolean givenUp;

    private volatile boolean moving;
    private volatile int enters;

    /** What a claim waits to be told. */
    interface Watches {
        Nodes.Watch on(NodeClaim claim, Node node);
    }

    NodeClaim(Request.Enter request, Watches watches) {
        this.request = request;
        before = new Predecessors(node -> watches.on(this, node));
        capacity = request.capacity();
    }

    Request.Enter request() {
        return request;
    }

    /** Its enter is sent to the service. */
    void noteEnter() {
        lock.lock();
        try {
            enters++;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a first enter may still be on its way. */
    boolean isUnclear() {
        return enters > 1;
    }

    /** Its node; null before it has entered, and after its end. */
    @Nullable
    Node own() {
        return own;
    }

    boolean isGranted() {
        return granted;
    }

    /** Whether it is granted, and is to be told when somebody else wants what it has. */
    boolean isToBeWanted() {
        lock.lock();
        try {
            return granted && request.sticky() && !wanted && !ended;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it is granted and its fixed lease is still to begin. */
    boolean isToBeFixed() {
        lock.lock();
        try {
            return granted && request.hold() > 0 && fixed == null;
        } finally {
            lock.unlock();
        }
    }

    boolean isFixed() {
        return fixed != null;
    }

    /** Whether it was granted after a wait, and those behind it can see that only if it says so. */
    boolean isToBeMarked() {
        lock.lock();
        try {
            Node node = own;
            return granted
                    && waited
                    && node != null
                    && node.weight() < capacity
                    && !node.details().marked();
        } finally {
            lock.unlock();
        }
    }

    /** Its node was made, found or made anew: what was true under another sequence is so no more. */
    Next entered(Entry entry) {
        lock.lock();
        try {
            Node last = own;
            if (ended || (last != null && last.order() > entry.own().order())) {
                return Next.NOTHING; // an answer that was overtaken
            }
            if (last == null || !last.isSame(entry.own())) {
                granted = false;
                waited = false;
                wanted = false;
            }
            own = entry.own();
            until = entry.until();
            return looked(entry.line());
        } finally {
            lock.unlock();
        }
    }

    /** The resource was read while its own node was there. */
    Next looked(Line line) {
        lock.lock();
        try {
            int at = line.find(request.id());
            if (own == null || at < 0) {
                return Next.NOTHING;
            }
            capacity = line.resized() > 0 ? line.resized() : request.capacity();
            before.set(line.nodes().subList(0, at));
            wanted |= request.sticky() && line.nodes().size() > Math.max(at + 1, line.granted());
            return proceed(true, true);
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is known that was not known before. */
    Next reviewed() {
        lock.lock();
        try {
            return proceed(false, false);
        } finally {
            lock.unlock();
        }
    }

    /** The nodes before its own, as far as they are known. */
    List<Node> ahead() {
        return before.nodes();
    }

    /** A node before it is now as told, or gone. */
    Next saw(Node seen, Optional<Node> now) {
        lock.lock();
        try {
            before.note(seen, now);
            return now.isEmpty() && isNextUnknown() ? Next.READ : proceed(false, false);
        } finally {
            lock.unlock();
        }
    }

    /** Whether it would wait for one that it has not watched so far: that one may be gone long since. */
    private boolean isNextUnknown() {
        Node node = own;
        return !ended && !granted && node != null && before.isAnyUnwatched(before.blockers(node.weight(), capacity));
    }

    /** Nodes before it were read. */
    Next read(List<Node> seen, List<Optional<Node>> now) {
        lock.lock();
        try {
            boolean all = before.nodes().equals(seen);
            for (int i = 0; i < seen.size(); i++) {
                before.note(seen.get(i), now.get(i));
            }
            return proceed(all, false);
        } finally {
            lock.unlock();
        }
    }

    /** Its own node is there until then. */
    Next renewed(long newUntil) {
        lock.lock();
        try {
            until = newUntil;
            return proceed(false, true);
        } finally {
            lock.unlock();
        }
    }

    /** The same, after those before it were read as they are since nobody is in its way. */
    Next confirmed(long newUntil) {
        lock.lock();
        try {
            until = newUntil;
            return proceed(true, true);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Grants it if that can be.
     *
     * @param known whether those before it are known as they are now, and not as they were once
     * @param there whether its own node is known to be there
     */
    private Next proceed(boolean known, boolean there) {
        Node node = own;
        if (ended || granted || givenUp || node == null) {
            return Next.NOTHING;
        }
        List<Node> blockers = before.blockers(node.weight(), capacity);
        before.watch(blockers);
        if (!blockers.isEmpty()) {
            waited = true;
            return Next.NOTHING;
        }
        boolean free =
                before.nodes().isEmpty() || (known && before.nodes().stream().allMatch(Node::isRead));
        granted = free && (there || isSurelyThere());
        return granted ? Next.GRANTED : Next.CONFIRM;
    }

    /**
     * Whether its own node has not ended: to look costs as much as to hand over. If somebody has removed it by force, that
     * is found out as in a holder's case.
     */
    private boolean isSurelyThere() {
        return until - System.nanoTime() > TimeUnit.MICROSECONDS.toNanos(request.lease()) / 2;
    }

    /** What keeps it waiting: to be read again now and then, as changes may have gone untold. */
    List<Node> blockers() {
        lock.lock();
        try {
            Node node = own;
            return granted || node == null ? List.of() : before.blockers(node.weight(), capacity);
        } finally {
            lock.unlock();
        }
    }

    /** Watches something else on its behalf, under a name of its own, until it ends or watches that anew. */
    void keep(String name, Nodes.Watch watch) {
        lock.lock();
        try {
            if (ended) {
                watch.cancel();
            } else {
                before.keep(name, watch);
            }
        } finally {
            lock.unlock();
        }
    }

    void fix(FixedLease begun) {
        lock.lock();
        try {
            fixed = begun;
        } finally {
            lock.unlock();
        }
    }

    /** Whether another node is being made for it in the place of its own, which is gone before that is told. */
    void moving(boolean underWay) {
        moving = underWay;
    }

    boolean isMoving() {
        return moving;
    }

    /** Its details were written. */
    void written(Node now) {
        lock.lock();
        try {
            if (own != null && own.isSame(now)) {
                own = now;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Unless it is granted it is not granted any more, whatever another enter of it finds; returns whether that is so. */
    boolean giveUp() {
        lock.lock();
        try {
            return givenUp |= !granted;
        } finally {
            lock.unlock();
        }
    }

    /** It is left, or its node is gone. */
    void end() {
        lock.lock();
        try {
            ended = true;
            own = null;
            before.end();
        } finally {
            lock.unlock();
        }
    }

    /** How it stands. */
    Answer answer(Ticks ticks, long asked) {
        lock.lock();
        try {
            Node node = own;
            if (node == null) {
                return ticks.answer(asked, State.GONE);
            }
            return new Answer(
                    ticks.micros(asked),
                    granted ? State.GRANTED : State.WAITING,
                    node.sequence(),
                    ticks.micros(lastsUntil()),
                    node.details().reweights(),
                    granted ? 0 : new Line(capacity, before.nodes()).waiting() + 1,
                    0,
                    wanted ? 1 : 0,
                    0,
                    null);
        } finally {
            lock.unlock();
        }
    }

    /** Until when it is there. */
    long until() {
        lock.lock();
        try {
            return lastsUntil();
        } finally {
            lock.unlock();
        }
    }

    private long lastsUntil() {
        FixedLease begun = fixed;
        return begun == null ? until : begun.endByNow();
    }

    /** Somebody came who wants what it has under that node; returns whether it still has it. */
    boolean want(Node node) {
        lock.lock();
        try {
            Node present = own;
            wanted |= granted && present != null && present.isSame(node);
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    boolean isWanted() {
        return wanted;
    }
}
