package io.belay.shop.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Lot;
import io.belay.shop.ledger.SaleStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real process that holds the lock is stopped past its lease, its successor sells, and it goes on: it is told that the
 * lease is lost before it is told anything else, and its guarded sale is refused or loses nothing, whether it had read
 * the stock before its successor or reads it afterwards.
 */
@Tag("processes")
@Tag("long")
class StoppedHolderTest {
    private static final Duration LEASE = Duration.ofMillis(500);

    private final String sku = "sku-" + UUID.randomUUID();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onSqlite(boolean afterReading) throws Exception {
        check("jdbc:sqlite:" + directory.resolve("ledger.db"), afterReading);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onPostgres(boolean afterReading) throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            check(server.url(), afterReading);
        }
    }

    private void check(String url, boolean afterReading) throws Exception {
        Path locks = directory.resolve("locks");
        try (Ledger ledger = Ledger.open(url, null, null, 2)) {
            ledger.create(sku, 10);
            try (HolderProcess holder = HolderProcess.start(locks, url, sku, LEASE, afterReading);
                    Belay belay = Belay.connect("file:" + locks)) {
                holder.stop();
                LockOptions options = LockOptions.defaults().withLease(LEASE);
                Lease lease = belay.lock(Ledger.lockName(sku), options)
                        .tryAcquire(Pace.patience())
                        .orElseThrow();
                GuardedSale sale = new GuardedSale(ledger, () -> {}, "successor");
                CompletableFuture<Outcome> successor =
                        CompletableFuture.supplyAsync(() -> sale.sell(Lot.whole(sku), "b", lease.token()));
                if (!afterReading) {
                    assertThat(successor.join()).isInstanceOf(Outcome.Sold.class);
                } // else it waits for the transaction that was stopped

                String said = holder.goOn();

                assertThat(successor.join()).isInstanceOf(Outcome.Sold.class);
                assertThat(said).isEqualTo("held false, ALREADY_LOST, " + (afterReading ? "Sold" : "STALE_WRITE"));
                SaleStatus status = ledger.status(sku, "").orElseThrow();
                assertThat(status.sold()).isEqualTo(afterReading ? 2 : 1);
                assertThat(status.soldTwice()).isZero();
                assertThat(status.addsUp()).isTrue();
            }
        }
    }
}
