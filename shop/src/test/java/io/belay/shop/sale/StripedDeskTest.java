package io.belay.shop.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.Pace;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Lot;
import io.belay.shop.ledger.SaleStatus;
import io.belay.shop.sale.Outcome.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stock in segments, sold by two nodes on one ledger. */
class StripedDeskTest {
    private static final Duration LONG = Pace.patience();

    @TempDir
    private Path directory;

    private final ExecutorService sellers = Executors.newFixedThreadPool(8);
    private Ledger ledger;
    private Belay belay;

    @BeforeEach
    void open() {
        ledger = Ledger.open("jdbc:sqlite:" + directory.resolve("ledger.db"), null, null, 4);
        belay = Belay.connect("memory:" + directory);
    }

    @AfterEach
    void close() {
        sellers.shutdownNow();
        belay.close();
        ledger.close();
    }

    private StripedDesk desk(Belay client, Duration longestWait, SaleWriter writer) {
        return new StripedDesk(client, ledger, longestWait, writer, sellers);
    }

    private SaleWriter sale() {
        return new SplitSale(ledger, () -> {}, "node");
    }

    private static Outcome outcome(OrderDesk desk) {
        return desk.order("sku", "buyer").join();
    }

    @Test
    void twoNodesSellExactlyTheStock() {
        ledger.create("sku", 300, 7);
        try (Belay other = Belay.connect("memory:" + directory)) {
            List<StripedDesk> desks = List.of(desk(belay, LONG, sale()), desk(other, LONG, sale()));
            List<CompletableFuture<Outcome>> orders = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                orders.add(desks.get(i % 2).order("sku", "buyer-" + i));
            }
            List<Outcome> outcomes =
                    orders.stream().map(CompletableFuture::join).toList();
            assertThat(outcomes).filteredOn(Outcome.Sold.class::isInstance).hasSize(300);
            assertThat(outcomes).filteredOn(Outcome.SoldOut.class::isInstance).hasSize(200);
        }
        SaleStatus status = ledger.status("sku", "").orElseThrow();
        assertThat(status.sold()).isEqualTo(300);
        assertThat(status.soldTwice()).isZero();
        assertThat(status.left()).isZero();
    }

    @Test
    void aSegmentThatAnotherHoldsIsLeftOutAndWaitedForAtTheEnd() throws Exception {
        ledger.create("sku", 5, 2);
        try (Belay other = Belay.connect("memory:" + directory)) {
            Lease held = other.lock(new Lot("sku", 0, 2).lockName()).acquire();
            StripedDesk desk = desk(belay, LONG, sale());
            assertThat(outcome(desk)).isInstanceOf(Outcome.Sold.class);
            assertThat(outcome(desk)).isInstanceOf(Outcome.Sold.class);
            // Only the held segment has any left: neither sold nor sold out.
            CompletableFuture<Outcome> waiting = desk.order("sku", "buyer");
            await().until(() -> belay.admin().inspect(held.name()).claims().size() == 2);
            assertThat(waiting).isNotDone();
            held.close();
            assertThat(waiting.join()).isInstanceOf(Outcome.Sold.class);
        }
    }

    @Test
    void anOrderIsToldWhenItsTimeIsOverAndThenNotSold() throws Exception {
        ledger.create("sku", 1, 1);
        try (Belay other = Belay.connect("memory:" + directory)) {
            StripedDesk desk = desk(belay, Duration.ofMillis(50), sale());
            try (Lease held = other.lock(new Lot("sku", 0, 1).lockName()).acquire()) {
                assertThat(outcome(desk))
                        .isInstanceOfSatisfying(
                                Outcome.TryAgain.class,
                                again -> assertThat(again.reason()).isEqualTo(Reason.LOCK_TIMEOUT));
                assertThat(held.isHeld()).isTrue();
            }
            assertThat(ledger.stock("sku").orElseThrow().remaining()).isEqualTo(1);
            assertThat(outcome(desk(belay, LONG, sale()))).isInstanceOf(Outcome.Sold.class);
        }
    }

    @Test
    void whatFailsIsToldToItsOrderAndTheSegmentIsSoldOn() {
        ledger.create("sku", 1, 1);
        AtomicBoolean failing = new AtomicBoolean(true);
        SaleWriter writer = (lot, buyers, token) -> {
            if (failing.getAndSet(false)) {
                throw new IllegalStateException("a bug");
            }
            return sale().sell(lot, buyers, token);
        };
        StripedDesk desk = desk(belay, LONG, writer);
        CompletableFuture<Outcome> order = desk.order("sku", "buyer");
        assertThatThrownBy(order::join).hasRootCauseMessage("a bug");
        assertThat(outcome(desk)).isInstanceOf(Outcome.Sold.class);
        assertThat(outcome(desk)).isEqualTo(new Outcome.SoldOut());
    }

    @Test
    void whenTheClientIsClosedAllWhoWaitAreSentElsewhere() {
        ledger.create("sku", 2, 2);
        StripedDesk desk = desk(belay, LONG, sale());
        belay.close();
        for (int i = 0; i < 3; i++) {
            assertThat(outcome(desk)).isEqualTo(Till.stopping());
        }
    }
}
