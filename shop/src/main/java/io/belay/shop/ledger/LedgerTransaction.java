package io.belay.shop.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** What can be done in a transaction. Belongs to one thread, and ends with the body that it was given to. */
public final class LedgerTransaction {
    private final Connection connection;
    private final Statements statements;

    LedgerTransaction(Connection connection, Statements statements) {
        this.connection = connection;
        this.statements = statements;
    }

    /** Raises the fence of a lock to a token; false if it stands higher, so that the token is out of date. */
    public boolean raiseFence(String lock, long token) throws SQLException {
        return update("fence.raise", token, lock, token) == 1;
    }

    /** The stock of a sku; empty if there is none of that name. */
    public Optional<Stock> readStock(String sku) throws SQLException {
        try (PreparedStatement statement = prepare("stock.read", sku);
                ResultSet row = statement.executeQuery()) {
            return row.next()
                    ? Optional.of(new Stock(row.getInt("initial"), row.getInt("remaining")))
                    : Optional.empty();
        }
    }

    /** Writes what is left. */
    public void writeStock(String sku, int remaining) throws SQLException {
        update("stock.write", remaining, sku);
    }

    /** Enters an order. */
    public void insert(Order order) throws SQLException {
        update(
                "order.insert",
                order.id(),
                order.sku(),
                order.unit(),
                order.buyer(),
                order.node(),
                order.token(),
                order.soldAt());
    }

    /** Enters a stock and the fence of its lock; false if there was such a stock. */
    boolean createStock(String sku, String lock, int units) throws SQLException {
        update("fence.create", lock);
        return update("stock.create", sku, units, units) == 1;
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

    /** How many different units of a sku have orders. */
    long unitsSold(String sku) throws SQLException {
        return number("orders.units", "units", sku).orElse(0);
    }

    /** When nodes other than the given one sold first after an instant. */
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
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
