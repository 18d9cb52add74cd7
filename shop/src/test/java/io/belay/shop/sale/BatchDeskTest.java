package io.belay.shop.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.Pace;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Order;
import io.belay.shop.sale.Outcome.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Orders that are served together. */
class BatchDeskTest {
    private static final Duration LONG = Pace.patience();

    private final String store = "memory:" + UUID.randomUUID();
    private final Belay belay = Belay.connect(store);
    private final List<List<String>> batches = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        belay.close();
    }

    /** Sells to Ann only. */
    private List<Outcome> sell(List<String> buyers, long token) {
        batches.add(buyers);
        return buyers.stream()
                .<Outcome>map(buyer -> buyer.equals("Ann")
                        ? new Outcome.Sold(Order.now("sku", 1, buyer, "node", token))
                        : new Outcome.SoldOut())
                .toList();
    }

    private BatchDesk desk(Duration longestWait) {
        return new BatchDesk(belay, longestWait, (lot, buyers, token) -> sell(buyers, token));
    }

    @Test
    void allWhoWaitAreServedInOneSaleAndEachIsToldItsOwn() throws Exception {
        BatchDesk desk = desk(LONG);
        List<CompletableFuture<Outcome>> orders = new ArrayList<>();
        try (Belay other = Belay.connect(store);
                Lease held = other.lock(Ledger.lockName("sku")).acquire()) {
            for (int i = 0; i < 20; i++) {
                orders.add(desk.order("sku", i == 7 ? "Ann" : "Bob"));
            }
            assertThat(held.isHeld()).isTrue();
            assertThat(orders).noneMatch(CompletableFuture::isDone);
        }
        for (int i = 0; i < 20; i++) {
            assertThat(orders.get(i).join()).isInstanceOf(i == 7 ? Outcome.Sold.class : Outcome.SoldOut.class);
        }
        assertThat(batches).hasSize(1);
        assertThat(belay.admin().inspect(Ledger.lockName("sku")).claims()).isEmpty();
    }

    @Test
    void anOrderIsToldWhenItsTimeIsOverAndThenNotSold() throws Exception {
        try (Belay other = Belay.connect(store);
                Lease held = other.lock(Ledger.lockName("sku")).acquire()) {
            Outcome outcome = desk(Duration.ofMillis(50)).order("sku", "Ann").join();
            assertThat(((Outcome.TryAgain) outcome).reason()).isEqualTo(Reason.LOCK_TIMEOUT);
            assertThat(held.isHeld()).isTrue();
        }
        // Its turn comes before that of another client.
        try (Belay other = Belay.connect(store);
                Lease held = other.lock(Ledger.lockName("sku")).acquire()) {
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(batches).isEmpty();
    }

    @Test
    void whatFailsIsToldToAllOfTheBatch() {
        BatchDesk desk = new BatchDesk(belay, LONG, (lot, buyers, token) -> {
            throw new IllegalStateException("a bug");
        });
        CompletableFuture<Outcome> order = desk.order("sku", "Ann");
        assertThatThrownBy(order::join).hasRootCauseMessage("a bug");
    }

    @Test
    void whenTheClientIsClosedWhoWaitsIsSentElsewhere() {
        BatchDesk desk = desk(LONG);
        belay.close();
        assertThat(desk.order("sku", "Ann").join()).isEqualTo(Till.stopping());
    }
}
