package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.DistributedCountDownLatch;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreOpener;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of clients on a network that falls silent and loses what is sent over it. */
abstract class NetworkContract extends TwoClients {
    private Network network;
    /** The client behind the network; the other two are not. */
    private Belay far;

    private BelayOptions farOptions;

    @BeforeEach
    void connectFar() {
        assumeTrue(spec.network().isPresent(), "the store offers no network that can be disturbed");
        network = spec.network().orElseThrow();
        farOptions = BelayOptions.defaults()
                .withClientName("far")
                .withLockDefaults(options())
                .withRequestTimeout(network.requestTimeout())
                .withConnectMode(ConnectMode.LATER); // that time is for requests, not for a busy machine's connections
        far = network.connect(farOptions);
        awaitAnswer(far);
    }

    @AfterEach
    void closeFar() {
        if (far != null) {
            network.restore();
            far.close();
        }
    }

    /** Returns until when a lease is sure to be held though nothing renews it, as a {@link System#nanoTime()}. */
    private static long end(Lease held) {
        long now = System.nanoTime();
        return now + held.remaining().toNanos();
    }

    /** Says that what was just looked at was so before that time. */
    private void isBefore(long end) {
        premise.happens(System.nanoTime() - end < 0, "what is left of the lease is longer than the silence");
    }

    @Test
    void aHolderIsToldAtTheDeadlineThoughTheNetworkIsSilent() throws Exception {
        Lease held = far.lock("x", brief()).acquire();
        CompletableFuture<LeaseLostException> told = loss(held);
        CompletableFuture<Lease> waiting = queued(b.lock("x"));
        network.silence();
        Lease next = waiting.get(2 * soon(), TimeUnit.SECONDS); // the lease ends first
        assertThat(held.isHeld()).as("held while another one holds it").isFalse();
        assertThat(told.get(soon(), TimeUnit.SECONDS)).hasMessageContaining("'x'");
        assertThat(next.token()).isGreaterThan(held.token());
        network.restore();
        giveBack(soon(far.lock("y").acquireAsync()));
        assertThat(held.isHeld()).as("held again").isFalse();
        assertThat(held.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(a.lock("x").tryAcquire()).isEmpty();
        giveBack(next);
        giveBack(soon(far.lock("x").acquireAsync()));
    }

    @Test
    void aHoldOutlastsASilenceThatIsShorterThanItsLease() throws Exception {
        Lease held = far.lock("x").acquire();
        CompletableFuture<Lease> waiting = queued(b.lock("x"));
        long end = end(held);
        network.silence();
        Thread.sleep(network.requestTimeout().multipliedBy(2).toMillis()); // requests are given up
        network.restore();
        boolean isHeld = held.isHeld();
        boolean isHandedOver = waiting.isDone();
        isBefore(end);
        assertThat(isHeld).isTrue();
        assertThat(isHandedOver).isFalse();
        eventually().until(() -> far.admin().inspect("x").claims().size() == 2 || !held.isHeld());
        giveBack(held);
        giveBack(soon(waiting));
    }

    @Test
    void nobodyWaitsLongerThanItWantedForASilentStore() throws Exception {
        network.silence();
        assertThatThrownBy(() -> far.lock("x").tryAcquire(Duration.ofMillis(300)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("'x'");
        assertThatThrownBy(() -> far.lock("x").tryAcquire()).isInstanceOf(StoreUnavailableException.class);
        network.restore();
        eventually().until(() -> b.admin().inspect("x").claims().isEmpty());
        giveBack(soon(b.lock("x").acquireAsync()));
        giveBack(soon(far.lock("x").acquireAsync()));
    }

    @Test
    void aReleaseIntoTheSilenceIsUnknownAndGetsThroughLater() throws Exception {
        Lease held = far.lock("x").acquire();
        CompletableFuture<Lease> waiting = queued(b.lock("x"));
        long end = end(held);
        network.silence();
        ReleaseOutcome outcome = held.release();
        boolean isHeld = held.isHeld();
        hear();
        boolean isHandedOver = waiting.isDone();
        isBefore(end);
        assertThat(outcome).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(isHeld).isFalse();
        assertThat(isHandedOver).isFalse();
        network.restore();
        giveBack(soon(waiting));
    }

    @Test
    void whatIsSentAgainAfterALostAnswerIsDoneOnce() throws Exception {
        for (int i = 0; i < 3; i++) {
            network.loseNextAnswer();
            Lease held = soon(far.lock("x").acquireAsync());
            premise.holds(held);
            awaitClaims("x", 1);
            network.loseNextAnswer();
            giveBack(held);
            awaitClaims("x", 0);
        }
    }

    @Test
    void aWaitWhoseAnswerIsLostEntersOnceAndIsServed() throws Exception {
        assumeTrue(spec.queues(), "the store keeps no queue");
        Lease held = a.lock("x").acquire();
        network.loseNextAnswer();
        CompletableFuture<Lease> first = queued(far.lock("x"));
        CompletableFuture<Lease> second = queued(b.lock("x"));
        staysUndone(first);
        awaitClaims("x", 3);
        giveBack(held);
        // Who has lost its connection may be passed over, and queues again.
        CompletableFuture.allOf(first.thenAccept(this::giveBack), second.thenAccept(this::giveBack))
                .get(soon(), TimeUnit.SECONDS);
        awaitClaims("x", 0);
    }

    @Test
    void permitsThatAreAskedForTwiceAreTakenOnce() throws Exception {
        assumeTrue(spec.queues(), "the store has no semaphores");
        network.loseNextAnswer();
        Lease two = soon(far.semaphore("s", 3).permits(2).acquireAsync());
        assertThat(b.semaphore("s", 3).available()).isEqualTo(1);
        giveBack(two);
    }

    /** Loses the first answer of each request that counts, also of the one that opens the latch. */
    @Test
    void aCountDownThatIsSentAgainCountsOnce() throws Exception {
        assumeTrue(spec.queues(), "the store has no latches");
        far.close(); // an answer to it may be lost in place of the one that counts
        AtomicInteger sent = new AtomicInteger();
        StoreOpener losing = (client, listener) -> {
            Store store = network.open(client, listener);
            return (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                        if (arguments != null
                                && arguments[0] instanceof Request request
                                && request.resource().equals("l")
                                && sent.getAndIncrement() == 0) {
                            network.loseNextAnswer();
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getTargetException();
                        }
                    });
        };
        DistributedCountDownLatch seen = b.countDownLatch("l");
        assertThat(seen.trySetCount(4)).isTrue();
        assertThat(seen.countDown()).isEqualTo(3); // else Redis has no script yet, and only that answer is lost
        try (Belay counting = Belay.connect(losing, farOptions)) {
            boolean isSentAgain = false;
            for (long before = 3, left; before > 0; before = left) {
                sent.set(0);
                long least = before - 1;
                long most = before - 1;
                try {
                    assertThat(counting.countDownLatch("l").countDown()).isEqualTo(least);
                } catch (StoreUnavailableException e) { // where the connection went with the answer, or before
                    least = e.toString().contains("was not done") ? before : least;
                    most = before;
                }
                isSentAgain |= sent.get() > 1;
                awaitAnswer(counting);
                left = answered(seen::getCount);
                assertThat(left).isBetween(least, most);
            }
            premise.happens(isSentAgain, "an answer is lost, and what it was for is sent again");
        }
    }

    @Test
    void aGrantWhosePushIsLostIsNoticedByTheNextRenewal() throws Exception {
        Lease held = a.lock("x").acquire();
        Served waiting = new Served(queued(far.lock("x", brief())));
        network.losePushes();
        giveBack(held);
        // It renews its wait, and hears of the grant.
        waiting.within(premise.lease().dividedBy(3), premise);
        giveBack(soon(b.lock("x").acquireAsync()));
    }

    @Test
    void aForcedReleaseThatWasNotHeardOfIsToldByTheRelease() throws Exception {
        Lease held = far.lock("x").acquire();
        network.losePushes();
        assertThat(a.admin().forceRelease("x")).isTrue();
        Lease next = soon(b.lock("x").acquireAsync());
        assertThat(held.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(a.lock("x").tryAcquire()).isEmpty();
        giveBack(next);
    }

    @Test
    void aForcedReleaseThatWasNotHeardOfIsToldByTheNextRenewal() throws Exception {
        Lease held = far.lock("x", brief()).acquire();
        network.losePushes();
        assertThat(a.admin().forceRelease("x")).isTrue();
        loss(held).get(soon(), TimeUnit.SECONDS);
        assertThat(held.isHeld()).isFalse();
    }
}
