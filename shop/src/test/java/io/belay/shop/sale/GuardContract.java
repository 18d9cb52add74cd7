package io.belay.shop.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Order;
import io.belay.shop.ledger.SaleStatus;
import io.belay.shop.sale.Outcome.Reason;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A holder is paused, its lease ends, and its successor sells: whichever of them reads first, no update may be lost.
 * Holders are played by threads with tokens; there is no lock here at all, so that the guard stands alone.
 */
@Timeout(60)
abstract class GuardContract {
    private static final long STALE = 1;
    private static final long FRESH = 2;

    private final String sku = "sku-" + UUID.randomUUID().toString().substring(0, 8);
    private Ledger ledger;

    abstract String url();

    @BeforeEach
    void open() {
        ledger = Ledger.open(url(), null, null, 4);
        ledger.create(sku, 10);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    /** A pause in the middle of a sale. */
    private static final class Pause implements Work {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        @Override
        public void run() {
            reached.countDown();
            await(over);
        }

        private static void await(CountDownLatch latch) {
            try {
                if (!latch.await(30, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nobody came");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private CompletableFuture<Outcome> sellAsync(SaleWriter writer, long token) {
        // The common pool may have one thread only, and these wait for each other.
        return CompletableFuture.supplyAsync(() -> writer.sell(sku, "buyer", token), task -> new Thread(task).start());
    }

    private SaleStatus status() {
        return ledger.status(sku, "").orElseThrow();
    }

    @Test
    void aHolderThatReadBeforeItsSuccessorIsWaitedFor() {
        Pause pause = new Pause();
        CompletableFuture<Outcome> paused = sellAsync(new GuardedSale(ledger, pause, "stale"), STALE);
        Pause.await(pause.reached);

        CompletableFuture<Outcome> successor = sellAsync(new GuardedSale(ledger, () -> {}, "fresh"), FRESH);
        // It cannot end before the other: not now, and not in the while in which it easily would.
        assertThat(successor).isNotDone();
        assertThat(successor
                        .copy()
                        .completeOnTimeout(null, 200, TimeUnit.MILLISECONDS)
                        .join())
                .isNull();
        pause.over.countDown();

        assertThat(paused.join()).isInstanceOf(Outcome.Sold.class);
        assertThat(successor.join()).isInstanceOf(Outcome.Sold.class);
        assertThat(status().sold()).isEqualTo(2);
        assertThat(status().soldTwice()).isZero();
        assertThat(status().addsUp()).isTrue();
    }

    @Test
    void aHolderThatComesAfterItsSuccessorIsRefused() {
        SaleWriter fresh = new GuardedSale(ledger, () -> {}, "fresh");
        SaleWriter stale = new GuardedSale(ledger, () -> {}, "stale");

        assertThat(stale.sell(sku, "buyer", STALE)).isInstanceOf(Outcome.Sold.class);
        assertThat(fresh.sell(sku, "buyer", FRESH)).isInstanceOf(Outcome.Sold.class);
        assertThat(stale.sell(sku, "buyer", STALE))
                .isInstanceOfSatisfying(
                        Outcome.TryAgain.class,
                        again -> assertThat(again.reason()).isEqualTo(Reason.STALE_WRITE));
        assertThat(fresh.sell(sku, "buyer", FRESH)).isInstanceOf(Outcome.Sold.class);

        assertThat(status().sold()).isEqualTo(3);
        assertThat(status().soldTwice()).isZero();
        assertThat(status().addsUp()).isTrue();
    }

    /** What the raising before the reading is for: with the same tokens, but compared at the write only. */
    @Test
    void aTokenThatIsOnlyComparedAtTheWriteLosesAnUpdate() {
        Pause stalePause = new Pause();
        Pause freshPause = new Pause();
        CompletableFuture<Outcome> stale = sellAsync(new ComparingSale(ledger, stalePause), STALE);
        CompletableFuture<Outcome> fresh = sellAsync(new ComparingSale(ledger, freshPause), FRESH);
        Pause.await(stalePause.reached);
        Pause.await(freshPause.reached);
        stalePause.over.countDown();
        stale.join();
        freshPause.over.countDown();
        fresh.join();

        assertThat(status().sold()).isEqualTo(2);
        assertThat(status().soldTwice()).isEqualTo(1);
        assertThat(status().addsUp()).isFalse();
    }

    @Test
    void withoutAGuardAPausedHolderSellsAUnitAgain() {
        Pause pause = new Pause();
        CompletableFuture<Outcome> paused = sellAsync(new UnguardedSale(ledger, pause, "stale"), STALE);
        Pause.await(pause.reached);
        new UnguardedSale(ledger, Work.of(Duration.ofMillis(1)), "fresh").sell(sku, "buyer", FRESH);
        pause.over.countDown();

        assertThat(paused.join()).isInstanceOf(Outcome.Sold.class);
        assertThat(status().soldTwice()).isEqualTo(1);
    }

    @Test
    void aStockThatIsSoldOutStaysSo() {
        SaleWriter writer = new GuardedSale(ledger, () -> {}, "node");
        for (int i = 0; i < 10; i++) {
            assertThat(writer.sell(sku, "buyer", FRESH)).isInstanceOf(Outcome.Sold.class);
        }
        assertThat(writer.sell(sku, "buyer", FRESH)).isEqualTo(new Outcome.SoldOut());
        assertThat(status().left()).isZero();
    }

    private record ComparingSale(Ledger ledger, Work work) implements SaleWriter {
        @Override
        public Outcome sell(String sku, String buyer, long token) {
            int unit = ledger.stock(sku).orElseThrow().remaining();
            work.run();
            Order order = Order.now(sku, unit, buyer, "node", token);
            return ledger.write(transaction -> {
                assertThat(transaction.raiseFence(Ledger.lockName(sku), token)).isTrue();
                transaction.writeStock(sku, unit - 1);
                transaction.insert(order);
                return new Outcome.Sold(order);
            });
        }
    }
}
