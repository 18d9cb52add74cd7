package io.belay.shop.ledger;

import io.belay.StoreMisconfiguredException;
import io.belay.fence.StaleTokenException;
import io.belay.jdbc.SqlFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** The operations of a transaction. It belongs to one thread, and ends with the body that it was given to. */
public final class LedgerTransaction {
    private static final SqlFence FENCE = SqlFence.standard();

    private final Connection connection;
    private final Statements statements;

    LedgerTransaction(Connection connection, Statements statements) {
        this.connection = connection;
        this.statements = statements;
    }

    /**
     * Raises the fence of a lock to a token; returns false if it stands higher, so that the token is out of date. The fence's row
     * stays locked until the commit, so what is read and written after it is safe from earlier and later holders alike.
     */
    public boolean raiseFence(String lock, long token) throws SQLException {
        try {
            FENCE.announce(connection, lock, token); // and not raise, as in SQLite the transaction was begun by SQL
            return true;
        } catch (StaleTokenException e) {
            return false;
        } catch (StoreMisconfiguredException e) {
            throw new LedgerException("the ledger failed: " + e.getMessage(), e);
        }
    }

    /** The stock of a sku, all segments together; empty if there is none of that name. */
    Optional<Stock> readStock(String sku) throws SQLException {
        try (PreparedStatement statement = prepare("stock.read", sku);
                ResultSet row = statement.executeQuery()) {
            // A sum has a row also if there is nothing to add up.
            return row.next() && row.getInt("lots") > 0
                    ? Optional.of(new Stock(row.getInt("initial"), row.getInt("remaining"), row.getInt("segments")))
                    : Optional.empty();
        }
    }

    /** Returns how many units of a lot are left; 0 if there is no such lot. */
    public int remaining(Lot lot) throws SQLException {
        return (int)
                number("stock.remaining", "remaining", lot.sku(), lot.segment()).orElse(0);
    }

    /** Writes how many units of a lot are left. */
    public void writeStock(Lot lot, int remaining) throws SQLException {
        update("stock.write", remaining, lot.sku(), lot.segment());
    }

    /** Enters orders. */
    public void insert(List<Order> orders) throws SQLException {
        try (PreparedStatement statement = prepare("order.insert")) {
            for (Order order : orders) {
                set(
                        statement,
                        order.id(),
                        order.sku(),
                        order.unit(),
                        order.buyer(),
                        order.node(),
                        order.token(),
                        order.soldAt());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Enters the fence of a lock, if it is not there. */
    void createFence(String lock) throws SQLException {
        raiseFence(lock, 1); // as low as tokens are
    }

    /** Enters a lot with its share of the units, and the fence of its lock. */
    void create(Lot lot, int units) throws SQLException {
        int share = lot.share(units);
        createFence(lot.lockName());
        update("stock.create", lot.sku(), lot.segment(), share, share);
    }

    void writeCounts(String sku, String run, String node, Counts counts) throws SQLException {
        update("counts.write", sku, run, node, counts.refused(), counts.timedOut(), counts.staleWritesRefused());
    }

    /** The orders of a sku by node. */
    SortedMap<String, Long> ordersPerNode(String sku) throws SQLException {
        try (PreparedStatement statement = prepare("orders.perNode", sku);
                ResultSet rows = statement.executeQuery()) {
            SortedMap<String, Long> orders = new TreeMap<>();
            while (rows.next()) {
                orders.put(rows.getString("node"), rows.getLong("orders"));
            }
            return orders;
        }
    }

    /** Returns how many different units of a sku have orders. */
    long unitsSold(String sku) throws SQLException {
        return number("orders.units", "units", sku).orElse(0);
    }

    /** Returns when other nodes than the given one first sold a sku after an instant, in milliseconds since 1970. */
    OptionalLong firstSaleByOthers(String sku, String node, long since) throws SQLException {
        return number("orders.firstByOthers", "first_sale", sku, node, since);
    }

    /** The counts of all runs but one, by node. */
    SortedMap<String, Counts> countsOfOtherRuns(String sku, String run) throws SQLException {
        try (PreparedStatement statement = prepare("counts.ofOtherRuns", sku, run);
                ResultSet rows = statement.executeQuery()) {
            SortedMap<String, Counts> counts = new TreeMap<>();
            while (rows.next()) {
                counts.put(
                        rows.getString("node"),
                        new Counts(rows.getLong("refused"), rows.getLong("timed_out"), rows.getLong("stale")));
            }
            return counts;
        }
    }

    private OptionalLong number(String name, String column, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(name, values);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return OptionalLong.empty();
            }
            long number = row.getLong(column);
            return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
        }
    }

    private int update(String name, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(name, values)) {
            return statement.executeUpdate();
        }
    }

    private PreparedStatement prepare(String name, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(statements.get(name));
        set(statement, values);
        return statement;
    }

    private static void set(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }
}
