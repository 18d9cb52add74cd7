package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.NullProbe;
import io.belay.servers.Pace;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What goes wrong as members are opened is told to who connects. */
class MemberConnectorTest {
    private static CompletableFuture<Void> connect(MemberConnector.Opener opener, ThreadFactory threads) {
        QuorumUrl url =
                new QuorumUrl(List.of("fake:1", "fake:2", "fake:3"), Duration.ofSeconds(3), Duration.ofMillis(200));
        Quorum quorum = new Quorum(1, url, new SimClock(), new Random(7), new Loop());
        QuorumStore store = new QuorumStore(quorum, NullProbe.stub(Store.Listener.class));
        return CompletableFuture.runAsync(new MemberConnector(quorum, store, opener, threads)::await)
                .orTimeout(Pace.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void aMissingClassIsToldAsAStoreThatCannotBeUsed() {
        CompletableFuture<Void> connected = connect(
                (member, told) -> {
                    throw new NoClassDefFoundError("io/lettuce/core/RedisClient");
                },
                Thread::new);
        assertThatThrownBy(connected::join).cause().isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.isTemporary()).isFalse();
            assertThat(e)
                    .hasMessageContaining("of 3: it cannot be opened: ")
                    .hasMessageContaining("NoClassDefFoundError: io/lettuce/core/RedisClient");
        });
    }

    /** Each of them opens its member, and has nobody to give it to. */
    @Test
    void aThreadThatCannotBeStartedLeavesNothingOpenThatOthersHaveBegun() throws Exception {
        AtomicInteger threads = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger closed = new AtomicInteger();
        Store opened = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (store, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.incrementAndGet();
                    }
                    return null;
                });
        CompletableFuture<Void> connected = connect(
                (member, told) -> {
                    begun.incrementAndGet();
                    await().until(() -> over.getCount() == 0);
                    return opened;
                },
                task -> {
                    if (threads.incrementAndGet() == 3) {
                        await().until(() -> begun.get() == 2);
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return new Thread(task);
                });
        assertThatThrownBy(connected::join).hasCauseInstanceOf(OutOfMemoryError.class);
        over.countDown();
        await().until(() -> closed.get() == 2);
    }
}
