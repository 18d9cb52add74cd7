package io.belay.shop.ledger;

import io.belay.shop.ledger.SaleStatus.NodeStatus;
import io.belay.support.UrlVariables;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The books of the shop in a SQL database that all nodes share. Pages read over connections of their own, so that they
 * need not wait for those who sell.
 *
 * <p>Thread-safe. All methods block, and throw {@link LedgerException} if the database does not do its part.
 */
public final class Ledger implements AutoCloseable {
    /** The name of a sku's lock; those of its segments begin with it. */
    public static String lockName(String sku) {
        return "stock:" + sku;
    }

    private final Transactions writes;
    private final Transactions reads;

    private Ledger(Transactions writes, Transactions reads) {
        this.writes = writes;
        this.reads = reads;
    }

    /**
     * Connects, and creates the tables that are missing.
     *
     * @param url a JDBC URL of SQLite (a file), PostgreSQL, MySQL or MariaDB; {@code ${NAME}} in it stands for an
     *     environment variable
     * @param user the database's user, if the URL does not name it
     * @param password the user's password
     * @param writers how many threads will write at once
     * @throws IllegalArgumentException if the URL is of another kind, or names a variable that is not set
     */
    public static Ledger open(String url, @Nullable String user, @Nullable String password, int writers) {
        return openExpanded(UrlVariables.expand(url), user, password, writers);
    }

    private static Ledger openExpanded(String url, @Nullable String user, @Nullable String password, int writers) {
        Dialect dialect = Dialect.of(url);
        if (dialect == Dialect.SQLITE && (url.contains(":memory:") || url.equals("jdbc:sqlite:"))) {
            throw new IllegalArgumentException(
                    "a ledger in SQLite must be a file, as each node would have its own in memory: jdbc:sqlite:FILE");
        }
        Statements statements = Statements.of(dialect);
        Transactions writes = Transactions.open(dialect, statements, url, user, password, true, writers);
        try {
            writes.createTables();
            return new Ledger(writes, Transactions.open(dialect, statements, url, user, password, false, 3));
        } catch (RuntimeException e) {
            writes.close();
            throw e;
        }
    }

    /**
     * Does something in one transaction that writes. If the body throws, all of it is rolled back.
     *
     * @throws OutcomeUnknownException if the commit was not answered; any other exception means that nothing was done
     */
    public <T> T write(Body<T> body) {
        return writes.run(body);
    }

    /** The work that a transaction does. */
    @FunctionalInterface
    public interface Body<T> {
        T run(LedgerTransaction transaction) throws SQLException;
    }

    /** Puts units on sale in one lot; returns false if the sku is on sale already, which then stays as it is. */
    public boolean create(String sku, int units) {
        return create(sku, units, 0);
    }

    /**
     * Puts units on sale, divided into segments as evenly as can be; some are empty if there are more of them than
     * units.
     *
     * @param segments how many segments; 0 for one undivided lot
     * @return false if the sku is on sale already, which then stays as it is
     */
    public boolean create(String sku, int units, int segments) {
        return write(transaction -> {
            // Others that do the same now wait for this row, and then see the stock.
            transaction.createFence(lockName(sku));
            if (transaction.readStock(sku).isPresent()) {
                return false;
            }
            if (segments == 0) {
                transaction.create(Lot.whole(sku), units);
            }
            for (int i = 0; i < segments; i++) {
                transaction.create(new Lot(sku, i, segments), units);
            }
            return true;
        });
    }

    /** The stock of a sku; empty if there is none of that name. */
    public Optional<Stock> stock(String sku) {
        return reads.run(transaction -> transaction.readStock(sku));
    }

    /** Returns how many units of a lot are left; 0 if there is no such lot. */
    public int remaining(Lot lot) {
        return reads.run(transaction -> transaction.remaining(lot));
    }

    /** Enters what a run of a node has counted for a sku so far. */
    public void record(String sku, String run, String node, Counts counts) {
        write(transaction -> {
            transaction.writeCounts(sku, run, node, counts);
            return counts;
        });
    }

    /** The sale of a sku; empty if there is none of that name. Leaves out what one run has counted. */
    public Optional<SaleStatus> status(String sku, String withoutRun) {
        return reads.run(transaction -> {
            Optional<Stock> stock = transaction.readStock(sku);
            if (stock.isEmpty()) {
                return Optional.empty();
            }
            SortedMap<String, NodeStatus> nodes = new TreeMap<>();
            transaction.countsOfOtherRuns(sku, withoutRun).forEach((node, counts) -> {
                nodes.put(node, new NodeStatus(0, counts));
            });
            for (var orders : transaction.ordersPerNode(sku).entrySet()) {
                NodeStatus before = nodes.getOrDefault(orders.getKey(), NodeStatus.NONE);
                nodes.put(orders.getKey(), new NodeStatus(orders.getValue(), before.counts()));
            }
            long sold = nodes.values().stream().mapToLong(NodeStatus::sold).sum();
            long soldTwice = sold - transaction.unitsSold(sku);
            return stock.map(s -> new SaleStatus(sku, s.initial(), s.remaining(), sold, soldTwice, nodes));
        });
    }

    /** Returns when other nodes than the given one first sold a sku after an instant, in milliseconds since 1970. */
    public OptionalLong firstSaleByOthers(String sku, String node, long since) {
        return reads.run(transaction -> transaction.firstSaleByOthers(sku, node, since));
    }

    @Override
    public void close() {
        reads.close();
        writes.close();
    }
}
