package io.belay.shop.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.LockRefusedException;
import io.belay.StoreUnavailableException;
import io.belay.shop.ledger.Order;
import io.belay.shop.sale.Outcome.Reason;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the desk makes of each end that a wait for the lock can have. */
class LockingDeskTest {
    private static LockingDesk desk(CompletableFuture<?> acquired) {
        DistributedLock lock = answering(DistributedLock.class, "tryAcquireAsync", acquired);
        SaleWriter writer = (lot, buyers, token) ->
                List.of(new Outcome.Sold(Order.now(lot.sku(), 1, buyers.get(0), "node", token)));
        return new LockingDesk(answering(Belay.class, "lock", lock), Duration.ofMillis(10), writer, Runnable::run);
    }

    private static <T> T answering(Class<T> type, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, args) -> {
            assertThat(called.getName()).isEqualTo(method);
            return answer;
        }));
    }

    private static Outcome outcome(BelayException failure) {
        return desk(CompletableFuture.failedFuture(failure))
                .order("sku", "buyer")
                .join();
    }

    @Test
    void others() {
        Outcome outcome = desk(CompletableFuture.completedFuture(Optional.empty()))
                .order("sku", "buyer")
                .join();
        assertThat(((Outcome.TryAgain) outcome).reason()).isEqualTo(Reason.LOCK_TIMEOUT);
    }

    @Test
    void storeUnavailable() {
        assertThat(outcome(new StoreUnavailableException("by the test", null)))
                .isEqualTo(new Outcome.TryAgain(Reason.STORE_UNAVAILABLE, "by the test"));
    }

    /** A buyer is not told that the store was silent when it was not. */
    @Test
    void lockRefused() {
        assertThat(outcome(new LockRefusedException("no such lease", null)))
                .isEqualTo(new Outcome.TryAgain(Reason.STORE_UNAVAILABLE, "no such lease"));
    }

    @Test
    void closed() {
        assertThat(outcome(new ClientClosedException("by the test", null)))
                .isInstanceOfSatisfying(
                        Outcome.TryAgain.class,
                        again -> assertThat(again.reason()).isEqualTo(Reason.STOPPING));
    }

    @Test
    void unforeseen() {
        CompletableFuture<Outcome> order = desk(CompletableFuture.failedFuture(new IllegalStateException("a bug")))
                .order("sku", "buyer");
        assertThatThrownBy(order::join).hasRootCauseMessage("a bug");
    }

    @Test
    void theLeaseEndsWithTheSaleAlsoWhenThatFails() {
        try (Belay belay = Belay.connect("memory:desk")) {
            SaleWriter failing = (lot, buyers, token) -> {
                assertThat(token).isPositive();
                throw new IllegalStateException("a bug");
            };
            LockingDesk desk = new LockingDesk(belay, Duration.ofSeconds(5), failing, Runnable::run);
            assertThatThrownBy(() -> desk.order("sku", "buyer").join()).hasRootCauseMessage("a bug");
            assertThat(belay.admin().inspect("stock:sku").claims()).isEmpty();
        }
    }
}
