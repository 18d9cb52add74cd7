package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.NullProbe;
import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What goes wrong as members are opened is told to who connects. */
class MemberConnectorTest {
    private final SimClock clock = new SimClock();

    private CompletableFuture<Void> connect(MemberConnector.Opener opener, ThreadFactory threads) {
        QuorumUrl url = new QuorumUrl(
                List.of("redis://away:1", "redis://away:2", "redis://away:3"),
                Duration.ofSeconds(3),
                Duration.ofMillis(200));
        Quorum quorum = new Quorum(1, url, clock, new Random(7), new Loop());
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
                    .hasMessageContaining(": it cannot be opened: ")
                    .hasMessageContaining("NoClassDefFoundError: io/lettuce/core/RedisClient");
        });
    }

    /** Else nothing says why all that is asked later comes to nothing. */
    @Test
    void aMemberThatIsFartherAwayThanItIsWaitedForIsToldOf() {
        int[] away = {5, 300, 5};
        int[] loading = {0, 0, 300}; // its first answer is late for what this process had to load
        List<Thread> threads = new CopyOnWriteArrayList<>();
        assertThat(AbsentMemberTest.logged(() -> {
                    connect(
                                    (member, told) -> {
                                        int i = member.index;
                                        join(List.copyOf(threads).subList(0, i)); // or it would take the time of others
                                        FakeMember there = new FakeMember(clock, new Random(i), 0, FakeMember.NONE);
                                        return answering(request -> {
                                            clock.pause(away[i] + loading[i]);
                                            loading[i] = 0;
                                            return there.run(request);
                                        });
                                    },
                                    task -> kept(threads, task))
                            .join();
                    join(threads);
                }))
                .filteredOn(line -> line.contains("member-timeout"))
                .singleElement()
                .asString()
                .contains("member 2 of 3 (redis://away:2) takes 300 ms to answer, and is waited for 200 ms");
    }

    /** Members that are well are not to be told of because another one was wrong. */
    @Test
    void onlyWhatWasWrongIsToldOfMembersThatAreOpenedTooLate() {
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> threads = new CopyOnWriteArrayList<>();
        assertThat(AbsentMemberTest.logged(() -> {
                    CompletableFuture<Void> connected = connect(
                            (member, told) -> {
                                if (member.index == 0) {
                                    throw StoreException.unusable("the password is wrong", null);
                                }
                                await().until(() -> over.getCount() == 0);
                                return closing(new AtomicInteger());
                            },
                            task -> kept(threads, task));
                    assertThatThrownBy(connected::join).hasMessageContaining("the password is wrong");
                    over.countDown();
                    join(threads);
                }))
                .noneMatch(line -> line.contains("the client was closed"));
    }

    private static Thread kept(List<Thread> threads, Runnable task) {
        Thread thread = new Thread(task);
        threads.add(thread);
        return thread;
    }

    private static void join(List<Thread> threads) {
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    private static Store answering(Function<Request, Answer> work) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (store, method, arguments) -> switch (method.getName()) {
                    case "capabilities" -> Capabilities.none();
                    case "send" -> CompletableFuture.completedStage(work.apply((Request) arguments[0]));
                    case "renew" ->
                        ((List<?>) arguments[0])
                                .stream()
                                        .map(one -> CompletableFuture.completedStage(work.apply((Request) one)))
                                        .toList();
                    default -> null;
                });
    }

    private static Store closing(AtomicInteger closed) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (store, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.incrementAndGet();
                    }
                    return null;
                });
    }

    /** Each of them opens its member, and has nobody to give it to. */
    @Test
    void aThreadThatCannotBeStartedLeavesNothingOpenThatOthersHaveBegun() throws Exception {
        AtomicInteger threads = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger closed = new AtomicInteger();
        Store opened = closing(closed);
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
