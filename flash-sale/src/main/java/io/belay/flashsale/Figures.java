package io.belay.flashsale;

import io.belay.cli.text.CliException;
import io.belay.cli.text.Json;
import io.belay.flashsale.load.HttpAnswer;
import io.belay.flashsale.load.HttpConnection;
import io.belay.flashsale.load.Server;
import io.belay.shop.ledger.Counts;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.LedgerException;
import io.belay.shop.ledger.SaleStatus;
import io.belay.shop.ledger.SaleStatus.NodeStatus;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The figures of a sale: what was sold, by the ledger's count, and what else the nodes answered, by their own counts
 * where they are alive, as the ledger may not have the last of it yet.
 */
final class Figures {
    private static final int ANSWER_MILLIS = 5_000;
    private static final long LONGEST_OUTAGE_NANOS = 5_000_000_000L;
    private static final long BETWEEN_TRIES_MILLIS = 200;
    private static final String NO_RUN = "";

    private final Nodes nodes;
    private final Ledger ledger;
    private final Site site;

    Figures(Nodes nodes, Ledger ledger, Site site) {
        this.nodes = nodes;
        this.ledger = ledger;
        this.site = site;
    }

    SaleStatus collect() throws InterruptedException {
        SaleStatus status = inLedger();
        for (Server server : nodes.living()) {
            ownCounts(server).ifPresent(counts -> {
                long sold = status.node(server.name()).sold();
                status.nodes().put(server.name(), new NodeStatus(sold, counts));
            });
        }
        return status;
    }

    /** Returns what the ledger has, which may fail for a moment just now. */
    private SaleStatus inLedger() throws InterruptedException {
        long end = System.nanoTime() + LONGEST_OUTAGE_NANOS;
        while (true) {
            try {
                return ledger.status(site.sku(), NO_RUN)
                        .orElseThrow(() -> CliException.fellShort(site.sku() + " is not in the ledger any more"));
            } catch (LedgerException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            }
            Thread.sleep(BETWEEN_TRIES_MILLIS);
        }
    }

    private Optional<Counts> ownCounts(Server server) {
        try (HttpConnection connection = new HttpConnection(server.address(), ANSWER_MILLIS)) {
            HttpAnswer answer = connection.send("GET", site.statusPath());
            for (JsonNode node : Json.read(answer.body()).path("nodes")) {
                if (node.path("node").asString("").equals(server.name())) {
                    return Optional.of(new Counts(
                            node.path("refused").asLong(),
                            node.path("timedOut").asLong(),
                            node.path("staleWritesRefused").asLong()));
                }
            }
        } catch (IOException | JacksonException e) {
            // The ledger's figures are at most a moment old.
        }
        return Optional.empty();
    }
}
