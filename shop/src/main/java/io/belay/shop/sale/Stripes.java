package io.belay.shop.sale;

import io.belay.recipes.StripedLock;
import io.belay.shop.ledger.Lot;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The orders for one sku that wait on this node, and the lanes that serve them, one a segment. It does without
 * blocking what {@link StripedLock#serve} does: an order goes to a segment that is free, else to whichever is had
 * first; on to the next if that is sold out; and is refused when all are. A lane that works goes on with the next
 * order, so under load each lane has its claim in the queue of its lock all the time.
 */
final class Stripes {
    private final Deque<PendingOrder> orders = new ConcurrentLinkedDeque<>();
    private final List<Lane> lanes;
    private final AtomicInteger nextLane = new AtomicInteger();
    private final AtomicInteger lanesLeft;

    Stripes(
            String sku,
            StripedLock lock,
            Duration longestWait,
            SaleWriter writer,
            Executor sellers,
            LockFailures failures) {
        int segments = lock.segments();
        this.lanesLeft = new AtomicInteger(segments);
        this.lanes = IntStream.range(0, segments)
                .mapToObj(i -> new Lane(
                        this, lock.segment(i), new Lot(sku, i, segments), longestWait, writer, sellers, failures))
                .toList();
    }

    void submit(PendingOrder order) {
        orders.addLast(order);
        wakeNext();
    }

    /** Lets a lane that does nothing look for orders, if there is one; if all are sold out, the orders are told so. */
    void wakeNext() {
        if (lanesLeft.get() == 0) {
            for (Optional<PendingOrder> order = take(); order.isPresent(); order = take()) {
                order.get().tell(new Outcome.SoldOut());
            }
            return;
        }
        int first = nextLane.getAndIncrement();
        for (int i = 0; i < lanes.size(); i++) {
            if (lanes.get(Math.floorMod(first + i, lanes.size())).start()) {
                return;
            }
        }
    }

    boolean isWaitedFor() {
        return !orders.isEmpty();
    }

    /** The order that has waited longest. */
    Optional<PendingOrder> take() {
        for (PendingOrder order = orders.pollFirst(); order != null; order = orders.pollFirst()) {
            if (order.take()) {
                return Optional.of(order);
            }
        }
        return Optional.empty();
    }

    /** A lane's segment is sold out: the order goes on to the next. */
    void passOn(PendingOrder order) {
        orders.addFirst(order.again());
        lanesLeft.decrementAndGet();
        wakeNext();
    }
}
