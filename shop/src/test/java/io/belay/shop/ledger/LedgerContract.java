package io.belay.shop.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayAdmin;
import io.belay.StoreMisconfiguredException;
import io.belay.fence.StaleTokenException;
import io.belay.jdbc.SqlFence;
import io.belay.servers.Premise;
import io.belay.shop.sale.GuardedSale;
import io.belay.shop.sale.Outcome;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every ledger does, whatever the database. */
abstract class LedgerContract {
    /** What a ledger gives who waits for another that writes, at least. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<Ledger> open = new ArrayList<>();
    private final String sku = "sku-" + UUID.randomUUID().toString().substring(0, 8);
    private Ledger ledger;

    abstract String url();

    @BeforeEach
    void openLedger() {
        ledger = open();
    }

    private Ledger open() {
        Ledger opened = Ledger.open(url(), null, null, 4);
        synchronized (open) {
            open.add(opened);
        }
        return opened;
    }

    @AfterEach
    void closeLedgers() {
        open.forEach(Ledger::close);
    }

    @Test
    void nodesThatStartTogetherAllOpenIt() throws Exception {
        Premise.withLease(PATIENCE, lease -> nodesStartTogether(sku + "-" + lease.toSeconds()));
    }

    private void nodesStartTogether(String name) throws Exception {
        ExecutorService nodes = Executors.newCachedThreadPool();
        try {
            long begun = System.nanoTime();
            Callable<Boolean> node = () -> open().create(name, 7);
            int creators = 0;
            for (Future<Boolean> one : nodes.invokeAll(Collections.nCopies(6, node))) {
                creators += inTime(one, begun) ? 1 : 0;
            }
            assertThat(creators).isEqualTo(1);
            assertThat(ledger.stock(name)).contains(new Stock(7, 7, 0));
        } finally {
            nodes.shutdownNow();
        }
    }

    /** Returns what has come of it. It may have failed because another was not run while it wrote. */
    private static boolean inTime(Future<Boolean> created, long begun) throws Exception {
        try {
            return created.get();
        } catch (ExecutionException e) {
            Premise.check(System.nanoTime() - begun < PATIENCE.toNanos(), "all write within the ledger's patience");
            throw e;
        }
    }

    @Test
    void aSkuIsPutOnSaleOnce() {
        assertThat(ledger.stock(sku)).isEmpty();
        assertThat(ledger.create(sku, 3)).isTrue();
        assertThat(ledger.create(sku, 5)).isFalse();
        assertThat(ledger.stock(sku)).contains(new Stock(3, 3, 0));
        assertThat(ledger.stock(sku.toUpperCase(Locale.ROOT))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"10, 3", "9, 3", "2, 5", "1, 1"})
    void aStockCanBeDividedIntoSegments(int units, int segments) {
        assertThat(ledger.create(sku, units, segments)).isTrue();
        assertThat(ledger.create(sku, units, segments + 1)).isFalse();
        assertThat(ledger.create(sku, units)).isFalse();
        assertThat(ledger.stock(sku)).contains(new Stock(units, units, segments));
        assertThat(ledger.remaining(Lot.whole(sku))).isZero();
        assertThat(ledger.remaining(new Lot(sku, segments, segments))).isZero();

        List<Integer> sold = new ArrayList<>();
        for (int i = 0; i < segments; i++) {
            Lot lot = new Lot(sku, i, segments);
            assertThat(ledger.remaining(lot)).isBetween(units / segments, units / segments + 1);
            for (int left = ledger.remaining(lot); left > 0; left--) {
                sold.add(lot.unit(left));
                int after = left - 1;
                Order order = Order.now(sku, lot.unit(left), "b", "n", 1);
                ledger.write(transaction -> {
                    transaction.writeStock(lot, after);
                    transaction.insert(List.of(order));
                    return order;
                });
            }
            assertThat(ledger.remaining(lot)).isZero();
        }
        assertThat(sold)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, units).boxed().toList());
        SaleStatus status = ledger.status(sku, "").orElseThrow();
        assertThat(status.stock()).isEqualTo(units);
        assertThat(status.left()).isZero();
        assertThat(status.sold()).isEqualTo(units);
        assertThat(status.soldTwice()).isZero();
    }

    @Test
    void eachSegmentHasAFenceOfItsOwn() {
        ledger.create(sku, 4, 2);
        assertThat(raise(new Lot(sku, 0, 2).lockName(), 9)).isTrue();
        assertThat(raise(new Lot(sku, 1, 2).lockName(), 3)).isTrue();
        assertThat(raise(new Lot(sku, 0, 2).lockName(), 8)).isFalse();
    }

    @Test
    void theFenceOnlyRises() {
        ledger.create(sku, 1);
        assertThat(raise(5)).isTrue();
        assertThat(raise(5)).isTrue();
        assertThat(raise(4)).isFalse();
        assertThat(raise(Long.MAX_VALUE)).isTrue();
    }

    /** So that the application of a database in which there was a flash sale has its fence as well. */
    @Test
    void theFenceIsThatOfBelay() throws Exception {
        ledger.create(sku, 1);
        assertThat(raise(5)).isTrue();
        raiseByBelay(6);
        assertThat(raise(5)).isFalse();
        assertThat(raise(7)).isTrue();
        assertThatThrownBy(() -> raiseByBelay(6)).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void theTableOfTheFenceMayBeThereByBelay() throws Exception {
        execute(url(), "DROP TABLE belay_fence");
        BelayAdmin.prepare(url());
        raiseByBelay(5);
        Ledger opened = open();
        assertThat(opened.create(sku, 2)).isTrue();
        Lot lot = Lot.whole(sku);
        GuardedSale sale = new GuardedSale(opened, () -> {}, "node");
        assertThat(sale.sell(lot, "buyer", 6)).isInstanceOf(Outcome.Sold.class);
        assertThat(sale.sell(lot, "buyer", 4)).isInstanceOf(Outcome.TryAgain.class);
    }

    @Test
    void aTableOfTheFenceWithNamesAsTextIsToldInOneLine() throws Exception {
        execute(url(), "DROP TABLE belay_fence");
        execute(url(), "CREATE TABLE belay_fence (name VARCHAR(512) PRIMARY KEY, token BIGINT NOT NULL)");
        assertThatThrownBy(this::open)
                .isInstanceOf(LedgerException.class)
                .hasMessage(
                        "the ledger's table belay_fence is one of before, with names as text: drop it while nothing is"
                                + " sold there, and start again");
        assertThatThrownBy(() -> BelayAdmin.prepare(url()))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("belay_fence has the names of locks as text")
                .message()
                .doesNotContain("\n");
        execute(url(), "DROP TABLE belay_fence");
        assertThat(open().create(sku, 1)).isTrue();
    }

    void raiseByBelay(long token) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url())) {
            connection.setAutoCommit(false);
            SqlFence.standard().raise(connection, Ledger.lockName(sku), token);
            connection.commit();
        }
    }

    static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private boolean raise(long token) {
        return raise(Ledger.lockName(sku), token);
    }

    private boolean raise(String lock, long token) {
        return ledger.write(transaction -> transaction.raiseFence(lock, token));
    }

    @Test
    void whatFailsIsRolledBack() {
        ledger.create(sku, 3);
        assertThatThrownBy(() -> ledger.write(transaction -> {
                    transaction.writeStock(Lot.whole(sku), 1);
                    throw new IllegalStateException("by the test");
                }))
                .hasMessage("by the test");
        Order order = Order.now(sku, 3, "b", "n", 1);
        ledger.write(transaction -> {
            transaction.insert(List.of(order));
            return order;
        });
        assertThatThrownBy(() -> ledger.write(transaction -> {
                    transaction.writeStock(Lot.whole(sku), 2);
                    transaction.insert(List.of(order));
                    return order;
                }))
                .isInstanceOf(LedgerException.class)
                .isNotInstanceOf(OutcomeUnknownException.class)
                .hasMessageStartingWith("the ledger failed: ")
                .message()
                .doesNotContain("\n");
        assertThat(ledger.stock(sku)).contains(new Stock(3, 3, 0));
    }

    @Test
    void theStatusIsThatOfAllNodes() {
        ledger.create(sku, 3);
        sell(3, "node-1", 2);
        sell(2, "node-2", 1);
        sell(2, "node-2", 1);
        ledger.record(sku, "run-1", "node-1", new Counts(1, 2, 3));
        ledger.record(sku, "run-1", "node-1", new Counts(10, 20, 30));
        ledger.record(sku, "run-2", "node-1", new Counts(100, 200, 300));
        ledger.record(sku, "run-3", "node-3", new Counts(1000, 0, 0));

        SaleStatus status = ledger.status(sku, "run-3").orElseThrow();
        assertThat(status.sold()).isEqualTo(3);
        assertThat(status.oversold()).isZero();
        assertThat(status.soldTwice()).isEqualTo(1);
        assertThat(status.addsUp()).isFalse();
        assertThat(status.counts()).isEqualTo(new Counts(110, 220, 330));
        assertThat(status.node("node-1").sold()).isEqualTo(1);
        assertThat(status.node("node-2").sold()).isEqualTo(2);

        sell(1, "node-1", 0);
        sell(1, "node-1", 0);
        SaleStatus after = ledger.status(sku, "").orElseThrow();
        assertThat(after.oversold()).isEqualTo(2);
        assertThat(after.counts().refused()).isEqualTo(1110);
        assertThat(ledger.status("no-" + sku, "")).isEmpty();
    }

    @Test
    void theFirstSaleByOthersIsFound() {
        ledger.create(sku, 3);
        assertThat(ledger.firstSaleByOthers(sku, "node-1", 0)).isEmpty();
        sell(3, "node-1", 2);
        assertThat(ledger.firstSaleByOthers(sku, "node-1", 0)).isEmpty();
        Order order = sell(2, "node-2", 1);
        sell(1, "node-2", 0);
        assertThat(ledger.firstSaleByOthers(sku, "node-1", 0)).hasValue(order.soldAt());
    }

    private Order sell(int unit, String node, int remaining) {
        return ledger.write(transaction -> {
            Order order = Order.now(sku, unit, "buyer \u00e9\u4e2d", node, 1);
            transaction.writeStock(Lot.whole(sku), remaining);
            transaction.insert(List.of(order));
            return order;
        });
    }
}
