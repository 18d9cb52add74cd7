package io.belay.shop.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Premise;
import io.belay.shop.ledger.Lot;
import io.belay.shop.ledger.Order;
import io.belay.shop.sale.Outcome.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class TillTest {
    /** The longest that the till waits for a sale. */
    private static final Duration LONGEST_SALE = Duration.ofSeconds(5);

    private final Outcome sold = new Outcome.Sold(Order.now("sku", 1, "buyer", "node", 1));

    // The common pool may have one thread only, and these wait for each other.
    private final Executor threads = task -> new Thread(task).start();

    @Test
    void shuttingWaitsForTheSaleThatHasBegunAndRefusesTheNext() throws Exception {
        Premise.withLease(LONGEST_SALE, anyLease -> shuttingWaits());
    }

    private void shuttingWaits() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Till till = new Till((lot, buyers, token) -> {
            if (token == 1) {
                begun.countDown();
                await().until(() -> end.getCount() == 0);
            }
            return List.of(sold);
        });
        CompletableFuture<Outcome> sale =
                CompletableFuture.supplyAsync(() -> till.sell(Lot.whole("sku"), "buyer", 1), threads);
        await().until(() -> begun.getCount() == 0);

        long closing = System.nanoTime();
        CompletableFuture<Void> shut = CompletableFuture.runAsync(till::close, threads);
        try {
            await().untilAsserted(() -> assertThat(till.sell(Lot.whole("sku"), "buyer", 2))
                    .isInstanceOfSatisfying(
                            Outcome.TryAgain.class,
                            again -> assertThat(again.reason()).isEqualTo(Reason.STOPPING)));
            boolean waits = !shut.isDone();
            Premise.check(
                    waits || System.nanoTime() - closing < LONGEST_SALE.toNanos(),
                    "whether it waits is looked at before the longest sale is over");
            assertThat(waits).isTrue();
        } finally {
            end.countDown();
        }

        assertThat(sale.join()).isEqualTo(sold);
        shut.join();
    }
}
