package io.belay.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.recipes.BatchedLock.Handler;
import io.belay.servers.Pace;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What strikes the thread of a {@link BatchedLock} costs no more than what it was about. The suite of the stores has the rest. */
class BatchedLockTest {
    private final Belay belay = Belay.connect("memory:" + UUID.randomUUID());
    private final Handler<Integer, Integer> handler =
            (entries, lease) -> entries.forEach(entry -> entry.complete(entry.request()));

    @AfterEach
    void close() {
        belay.close();
    }

    private static Integer soon(CompletableFuture<Integer> future) throws Exception {
        return future.get(Pace.seconds(), TimeUnit.SECONDS);
    }

    /** A queue that can be read so many times once the lock is had: then no memory is left, once. */
    private static final class Short<E> extends ConcurrentLinkedQueue<E> {
        private static final long serialVersionUID = 1;

        private volatile int reads = Integer.MAX_VALUE;

        private void read() {
            if (--reads == 0) {
                reads = Integer.MAX_VALUE;
                throw new OutOfMemoryError("thrown by the test");
            }
        }

        @Override
        public E peek() {
            read();
            return super.peek();
        }

        @Override
        public Iterator<E> iterator() {
            Iterator<E> all = super.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return all.hasNext();
                }

                @Override
                public E next() {
                    read();
                    return all.next();
                }
            };
        }
    }

    private static void setQueue(BatchedLock<?, ?> lock, Short<?> queue) throws Exception {
        Field field = BatchedLock.class.getDeclaredField("queue");
        field.setAccessible(true);
        field.set(lock, queue);
    }

    @Test
    void whatAnErrorStrikesAsABatchIsTakenIsToldToAllAndStopsNoOther() throws Exception {
        Short<?> queue = new Short<>();
        DistributedLock real = belay.lock("x");
        DistributedLock thenShort = (DistributedLock) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DistributedLock.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(real, arguments);
                    if (method.getName().equals("acquire")) {
                        queue.reads = 3;
                    }
                    return result;
                });
        BatchedLock<Integer, Integer> lock = BatchedLock.of(thenShort, 10, handler);
        setQueue(lock, queue);
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        CompletableFuture<Integer> asksAgain;
        try (Lease others = real.acquire()) { // until all have asked
            for (int i = 0; i < 5; i++) {
                all.add(lock.submit(i));
            }
            asksAgain = all.get(4).exceptionallyCompose(error -> lock.submit(7)); // as it is told
            assertThat(others.isHeld()).isTrue();
        }
        for (CompletableFuture<Integer> one : all) {
            assertThatThrownBy(() -> soon(one)).hasCauseInstanceOf(OutOfMemoryError.class);
        }
        assertThat(soon(asksAgain)).isEqualTo(7);
    }

    @Test
    void aBatchThatIsNotFullBeginsOnceItsFirstRequestHasWaitedForItsTime() throws Exception {
        Duration age = Duration.ofMillis(20);
        BatchedLock<Integer, Integer> lock = BatchedLock.of(belay.lock("x"), 2, age, handler);
        for (int i = 0; i < 2; i++) {
            long begun = System.nanoTime();
            assertThat(soon(lock.submit(i))).isEqualTo(i);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(age.toNanos());
        }
    }

    /** As of a watchdog that was meant for the handler, and fires a moment too late. */
    @Test
    void anInterruptThatComesWhileABatchWaitsForOthersFailsNobody() throws Exception {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        BatchedLock<Integer, Integer> lock =
                BatchedLock.of(belay.lock("x"), 2, ChronoUnit.FOREVER.getDuration(), (entries, lease) -> {
                    worker.complete(Thread.currentThread());
                    handler.handle(entries, lease);
                });
        CompletableFuture<Integer> first = lock.submit(1);
        CompletableFuture<Integer> third = first.thenCompose(one -> lock.submit(3)); // so that the thread goes on
        lock.submit(2);
        assertThat(soon(first)).isEqualTo(1);
        await().atMost(Duration.ofSeconds(Pace.seconds()))
                .until(() -> worker.join().getState() == Thread.State.TIMED_WAITING);
        worker.join().interrupt();
        CompletableFuture<Integer> fourth = lock.submit(4);
        assertThat(soon(third)).isEqualTo(3);
        assertThat(soon(fourth)).isEqualTo(4);
    }

    @Test
    void anInterruptThatComesWhileABatchWaitsForTheLockFailsNobody() throws Exception {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        CountDownLatch followed = new CountDownLatch(1);
        BatchedLock<Integer, Integer> lock = BatchedLock.of(belay.lock("x"), 2, (entries, lease) -> {
            worker.complete(Thread.currentThread());
            followed.await();
            handler.handle(entries, lease);
        });
        CompletableFuture<Lease> others = new CompletableFuture<>();
        CompletableFuture<Integer> second = lock.submit(1)
                .thenCompose(
                        one -> { // so that the thread goes on
                            belay.lock("x").acquireAsync().whenComplete((lease, error) -> others.complete(lease));
                            return lock.submit(2);
                        });
        followed.countDown();
        try (Lease held = others.get(Pace.seconds(), TimeUnit.SECONDS)) {
            await().atMost(Duration.ofSeconds(Pace.seconds()))
                    .until(() -> worker.join().getState() == Thread.State.WAITING);
            worker.join().interrupt();
            await().atMost(Duration.ofSeconds(Pace.seconds()))
                    .until(() -> !worker.join().isInterrupted());
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(soon(second)).isEqualTo(2);
    }

    @Test
    void whatIsCancelledBeforeItsBatchBeginsIsNotDone() throws Exception {
        Queue<Integer> done = new ConcurrentLinkedQueue<>();
        BatchedLock<Integer, Integer> lock = BatchedLock.of(belay.lock("x"), 2, (entries, lease) -> {
            entries.forEach(entry -> done.add(entry.request()));
            handler.handle(entries, lease);
        });
        List<CompletableFuture<Integer>> asked;
        try (Lease others = belay.lock("x").acquire()) {
            asked = IntStream.range(0, 9).mapToObj(lock::submit).toList();
            for (int i : new int[] {0, 1, 2, 5, 8}) {
                assertThat(asked.get(i).cancel(false)).isTrue();
            }
            assertThat(others.isHeld()).isTrue();
        }
        for (int i : new int[] {3, 4, 6, 7}) {
            assertThat(soon(asked.get(i))).isEqualTo(i);
        }
        assertThat(soon(lock.submit(9))).isEqualTo(9);
        assertThat(done).containsExactly(3, 4, 6, 7, 9);
    }
}
