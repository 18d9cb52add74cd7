package io.belay.shop.sale;

import io.belay.shop.ledger.Counts;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.LedgerException;
import io.belay.shop.ledger.SaleStatus;
import io.belay.shop.ledger.SaleStatus.NodeStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counts of this node, brought to the ledger a few times a second, so that each node can show those of all. A page
 * writes nothing: it adds this node's own, which are newer, to those of the others.
 */
public final class Registers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Registers.class);
    private static final long PERIOD_MILLIS = 200;

    private final Ledger ledger;
    private final String node;
    // A node that is started again begins to count at 0, beside what it had counted before.
    private final String run = UUID.randomUUID().toString();
    private final Map<String, NodeCounts> counts = new ConcurrentHashMap<>();
    private final Map<String, Counts> recorded = new HashMap<>();
    private final ScheduledExecutorService clerk = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "counts");
        thread.setDaemon(true);
        return thread;
    });

    public Registers(Ledger ledger, String node) {
        this.ledger = ledger;
        this.node = node;
        var unused = clerk.scheduleWithFixedDelay(this::record, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    void add(String sku, Outcome outcome) {
        counts.computeIfAbsent(sku, name -> new NodeCounts()).add(outcome);
    }

    /** The sale of a sku on all nodes. */
    public Optional<SaleStatus> status(String sku) {
        return ledger.status(sku, run).map(status -> {
            NodeCounts own = counts.get(sku);
            NodeStatus before = status.node(node);
            Counts all = own == null ? before.counts() : before.counts().plus(own.now());
            status.nodes().put(node, new NodeStatus(before.sold(), all));
            return status;
        });
    }

    private void record() {
        counts.forEach((sku, present) -> {
            Counts now = present.now();
            if (!now.equals(recorded.getOrDefault(sku, Counts.NONE))) {
                try {
                    ledger.record(sku, run, node, now);
                    recorded.put(sku, now);
                } catch (LedgerException e) {
                    // The next round brings it.
                    log.debug("the counts of {} could not be recorded", sku, e);
                }
            }
        });
    }

    /** Brings the last counts to the ledger. */
    @Override
    public void close() {
        clerk.shutdown();
        try {
            if (clerk.awaitTermination(5, TimeUnit.SECONDS)) {
                record();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
