package io.belay.internal.time;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is given to threads for users' code is done, however they fail and however few there are. */
class WorkersTest {
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger starved = new AtomicInteger();
    private volatile boolean noneLeft;

    private final Threads threads = new Threads() {
        @Override
        public Thread start(String name, Runnable body) {
            if (noneLeft) {
                throw new OutOfMemoryError("unable to create native thread, says the test");
            }
            started.incrementAndGet();
            return SYSTEM.start(name, body);
        }

        @Override
        public void park(Object blocker) {
            SYSTEM.park(blocker);
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
            SYSTEM.parkNanos(blocker, nanos);
        }

        @Override
        public void unpark(Thread thread) {
            SYSTEM.unpark(thread);
        }
    };

    private final List<Workers> all = new ArrayList<>();

    private Workers workers(int most) {
        Workers workers = new Workers(threads, Time.SYSTEM, "test", most, starved::incrementAndGet);
        all.add(workers);
        return workers;
    }

    @AfterEach
    void close() {
        all.forEach(Workers::close);
    }

    @Test
    void threeThousandTasksAreDoneByAsManyThreadsAsThereMayBe() throws Exception {
        Workers workers = workers(8);
        CountDownLatch done = new CountDownLatch(3_000);
        for (int i = 0; i < 3_000; i++) {
            workers.execute(done::countDown);
        }
        assertThat(done.await(Pace.seconds(), SECONDS)).isTrue();
        assertThat(started.get()).isBetween(1, 8);
    }

    @Test
    void whatATaskThrowsKeepsNoOtherFromBeingDone() throws Exception {
        Workers workers = workers(1);
        CountDownLatch done = new CountDownLatch(1);
        workers.execute(() -> {
            throw new StackOverflowError("on purpose");
        });
        workers.execute(done::countDown);
        assertThat(done.await(Pace.seconds(), SECONDS)).isTrue();
        assertThat(started.get()).isEqualTo(1);
    }

    @Test
    void tasksThatBlockKeepNobodyWaitingWhereThereIsNoBound() throws Exception {
        Workers workers = workers(Integer.MAX_VALUE);
        CountDownLatch all = new CountDownLatch(20);
        for (int i = 0; i < 20; i++) {
            workers.execute(() -> {
                all.countDown();
                try {
                    all.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        assertThat(all.await(Pace.seconds(), SECONDS)).isTrue();
    }

    /** Each has a thread of its own then, as it would have had: they may wait for one another. */
    @Test
    void allThatHaveFoundNoThreadHaveOneOnceThereAreThreads() throws Exception {
        Workers workers = workers(8);
        noneLeft = true;
        CountDownLatch together = new CountDownLatch(3);
        CountDownLatch done = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            workers.execute(() -> {
                together.countDown();
                if (await(together)) {
                    done.countDown();
                }
            });
        }
        noneLeft = false;
        workers.staff();
        assertThat(done.await(Pace.seconds(), SECONDS)).isTrue();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(Pace.seconds(), SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void whatFindsNoThreadWaitsUntilThereIsOne() throws Exception {
        Workers workers = workers(8);
        noneLeft = true;
        CountDownLatch done = new CountDownLatch(2);
        workers.execute(done::countDown);
        workers.execute(done::countDown);
        assertThat(starved.get()).isEqualTo(2);
        noneLeft = false;
        workers.staff();
        assertThat(done.await(Pace.seconds(), SECONDS)).isTrue();
    }

    @Test
    void whoeverClosesDoesWhatFoundNoThread() {
        Workers workers = workers(8);
        noneLeft = true;
        AtomicInteger done = new AtomicInteger();
        workers.execute(done::incrementAndGet);
        workers.close();
        workers.execute(done::incrementAndGet);
        assertThat(done.get()).isEqualTo(2);
    }

    @Test
    void aWorkerIsUsedAgainAndOneThatClosesDoesWhatIsLeft() throws Exception {
        Workers workers = workers(8);
        for (int i = 0; i < 50; i++) {
            CountDownLatch done = new CountDownLatch(1);
            workers.execute(done::countDown);
            assertThat(done.await(Pace.seconds(), SECONDS)).isTrue();
        }
        assertThat(started.get()).isLessThanOrEqualTo(8);
        workers.close();
        CountDownLatch late = new CountDownLatch(1);
        workers.execute(late::countDown);
        assertThat(late.await(Pace.seconds(), SECONDS)).isTrue();
    }
}
