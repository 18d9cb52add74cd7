package io.belay.shop.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Lot;
import io.belay.shop.ledger.SaleStatus;
import io.belay.shop.sale.Outcome.Reason;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A holder is paused, its lease ends, and its successor sells: whichever of them reads first, no update may be lost.
 * Holders are played by threads with tokens; there is no lock here at all, so that the guard stands alone.
 */
abstract class GuardContract {
    private static final long STALE = 1;
    private static final long FRESH = 2;

    /** Less than what the ledger gives who waits for a connection, or for another who writes. */
    private static final Duration IN_TIME = Duration.ofSeconds(10);

    private String sku;
    private Ledger ledger;

    abstract String url();

    @BeforeEach
    void open() {
        ledger = Ledger.open(url(), null, null, 4);
        putOnSale();
    }

    private void putOnSale() {
        sku = "sku-" + UUID.randomUUID().toString().substring(0, 8);
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
                if (!latch.await(Pace.seconds(), TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nobody came");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private CompletableFuture<Outcome> sellAsync(SaleWriter writer, long token) {
        // The common pool may have one thread only, and these wait for each other.
        return CompletableFuture.supplyAsync(
                () -> writer.sell(Lot.whole(sku), "buyer", token), task -> new Thread(task).start());
    }

    private SaleStatus status() {
        return ledger.status(sku, "").orElseThrow();
    }

    @Test
    void aHolderThatReadBeforeItsSuccessorIsWaitedFor() throws Exception {
        Premise.withLease(IN_TIME, anyLease -> {
            putOnSale();
            aHolderIsWaitedFor();
        });
    }

    private void aHolderIsWaitedFor() {
        Pause pause = new Pause();
        CompletableFuture<Outcome> paused = sellAsync(new GuardedSale(ledger, pause, "stale"), STALE);
        Pause.await(pause.reached);

        long begun = System.nanoTime();
        CompletableFuture<Outcome> successor = sellAsync(new GuardedSale(ledger, () -> {}, "fresh"), FRESH);
        // It cannot sell before the other: not now, and not in the while in which it easily would.
        assertThat(successor.exceptionally(error -> null).getNow(null)).isNull();
        assertThat(successor
                        .exceptionally(error -> null)
                        .completeOnTimeout(null, 200, TimeUnit.MILLISECONDS)
                        .join())
                .isNull();
        pause.over.countDown();

        assertThat(paused.join()).isInstanceOf(Outcome.Sold.class);
        boolean failed = successor.handle((outcome, error) -> error != null).join();
        Premise.check(
                !failed || System.nanoTime() - begun < IN_TIME.toNanos(),
                "who is waited for is run before the ledger's patience is over");
        assertThat(successor.join()).isInstanceOf(Outcome.Sold.class);
        assertThat(status().sold()).isEqualTo(2);
        assertThat(status().soldTwice()).isZero();
        assertThat(status().addsUp()).isTrue();
    }

    @Test
    void aHolderThatComesAfterItsSuccessorIsRefused() {
        SaleWriter fresh = new GuardedSale(ledger, () -> {}, "fresh");
        SaleWriter stale = new GuardedSale(ledger, () -> {}, "stale");

        assertThat(stale.sell(Lot.whole(sku), "buyer", STALE)).isInstanceOf(Outcome.Sold.class);
        assertThat(fresh.sell(Lot.whole(sku), "buyer", FRESH)).isInstanceOf(Outcome.Sold.class);
        assertThat(stale.sell(Lot.whole(sku), "buyer", STALE))
                .isInstanceOfSatisfying(
                        Outcome.TryAgain.class,
                        again -> assertThat(again.reason()).isEqualTo(Reason.STALE_WRITE));
        assertThat(fresh.sell(Lot.whole(sku), "buyer", FRESH)).isInstanceOf(Outcome.Sold.class);

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
        new UnguardedSale(ledger, Work.of(Duration.ofMillis(1)), "fresh").sell(Lot.whole(sku), "buyer", FRESH);
        pause.over.countDown();

        assertThat(paused.join()).isInstanceOf(Outcome.Sold.class);
        assertThat(status().soldTwice()).isEqualTo(1);
    }

    /** In two transactions nobody is kept waiting: the one who read too early is refused instead. */
    @Test
    void aHolderThatReadBeforeItsSuccessorIsRefusedWhenItsSaleIsSplit() {
        Pause pause = new Pause();
        CompletableFuture<Outcome> paused = sellAsync(new SplitSale(ledger, pause, "stale"), STALE);
        Pause.await(pause.reached);
        SaleWriter fresh = new SplitSale(ledger, () -> {}, "fresh");
        assertThat(fresh.sell(Lot.whole(sku), "buyer", FRESH)).isInstanceOf(Outcome.Sold.class);
        pause.over.countDown();

        assertThat(paused.join()).isEqualTo(GuardedSale.stale());
        assertThat(new SplitSale(ledger, () -> {}, "stale").sell(Lot.whole(sku), "buyer", STALE))
                .as("one that comes after its successor")
                .isEqualTo(GuardedSale.stale());
        assertThat(status().sold()).isEqualTo(1);
        assertThat(status().soldTwice()).isZero();
        assertThat(status().addsUp()).isTrue();
    }

    @Test
    void aBatchThatIsLargerThanTheStockSellsToTheFirst() {
        for (SaleWriter writer : List.of(
                new GuardedSale(ledger, () -> {}, "node"),
                new SplitSale(ledger, () -> {}, "node"),
                new UnguardedSale(ledger, () -> {}, "node"))) {
            List<Outcome> outcomes = writer.sell(Lot.whole(sku), List.of("a", "b", "c", "d"), FRESH);
            int before = (int) status().sold()
                    - (int) outcomes.stream()
                            .filter(Outcome.Sold.class::isInstance)
                            .count();
            int expected = Math.min(4, 10 - before);
            for (int i = 0; i < 4; i++) {
                if (i < expected) {
                    assertThat(((Outcome.Sold) outcomes.get(i)).order().buyer())
                            .isEqualTo(List.of("a", "b", "c", "d").get(i));
                } else {
                    assertThat(outcomes.get(i)).isEqualTo(new Outcome.SoldOut());
                }
            }
        }
        assertThat(status().sold()).isEqualTo(10);
        assertThat(status().soldTwice()).isZero();
        assertThat(status().left()).isZero();
    }

    @Test
    void aStockThatIsSoldOutStaysSo() {
        SaleWriter writer = new GuardedSale(ledger, () -> {}, "node");
        for (int i = 0; i < 10; i++) {
            assertThat(writer.sell(Lot.whole(sku), "buyer", FRESH)).isInstanceOf(Outcome.Sold.class);
        }
        assertThat(writer.sell(Lot.whole(sku), "buyer", FRESH)).isEqualTo(new Outcome.SoldOut());
        assertThat(status().left()).isZero();
    }

    private record ComparingSale(Ledger ledger, Work work) implements SaleWriter {
        @Override
        public List<Outcome> sell(Lot lot, List<String> buyers, long token) {
            int remaining = ledger.remaining(lot);
            work.run();
            Allotment allotment = new Allotment(lot, remaining, buyers, "node", token);
            return ledger.write(transaction -> {
                assertThat(transaction.raiseFence(lot.lockName(), token)).isTrue();
                return allotment.write(transaction);
            });
        }
    }
}
