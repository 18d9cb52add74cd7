package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two threads of a store outlive a moment in which there is no memory, also none to say so. */
class NoMemoryTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "", "");
    private static final long GONE = 7;

    @TempDir
    Path directory;

    private final FakeClock clock = new FakeClock();

    /** Not a real one, which JUnit does not survive. */
    private static final class NoMemory extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw this;
        }
    }

    @Test
    void theThreadThatOpensFilesGoesOn() throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        Boot.Clock failing = new Boot.Clock(
                () -> {
                    if (full.getAndSet(false)) {
                        throw new NoMemory();
                    }
                    return clock.clock().nanos().getAsLong();
                },
                clock.clock().wallMicros());
        try (Client a = Client.open(directory, HOST, failing);
                Client b = Client.open(directory, HOST, clock.clock())) {
            full.set(true);
            a.store.unreached(
                    GONE, Endpoint.Outcome.REFUSED, Push.granted("y", ClaimId.of(GONE, 1), 1, 0, Client.LEASE));
            await().dontCatchUncaughtExceptions().untilFalse(full);
            b.enter("x", b.id());
            Store.Snapshot seen = a.store.inspect("x").toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(seen.resource()).as("what the other one has written").isPresent();
        }
    }

    @Test
    void theThreadThatHearsTheOthersGoesOn() {
        try (Client a = Client.open(directory, HOST, clock.clock());
                Client b = Client.open(directory, HOST, clock.clock())) {
            b.holdUp(new CountDownLatch(0) {
                @Override
                public void await() {
                    throw new NoMemory();
                }
            });
            for (int i = 0; i < 2; i++) {
                ClaimId holder = a.id();
                ClaimId next = b.id();
                a.enter("x" + i, holder);
                b.enter("x" + i, next);
                a.leave("x" + i, holder);
                await().dontCatchUncaughtExceptions().until(() -> b.wasGranted(next));
            }
        }
    }

    /** There may be some in a moment: nothing is wrong with the directory. */
    @Test
    void whoOpensMayTryAgain() {
        assertThatThrownBy(() -> Client.open(
                        directory,
                        HOST,
                        new Boot.Clock(
                                () -> {
                                    throw new OutOfMemoryError("unable to create native thread, says the test");
                                },
                                clock.clock().wallMicros())))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTemporary()).isTrue())
                .hasMessageContaining("unable to create native thread");
    }

    /** A real one, in a process that has had nothing to log: what that takes is not loaded, and never will be if it fails once. */
    @Test
    void aHeapThatIsFullEndsNoThread() throws Exception {
        try (ChildJvm child = ChildJvm.start(FullHeap.class)) {
            assertThat(child.line()).isEqualTo("goes on");
        }
    }

    static final class FullHeap {
        private static volatile @Nullable Object hoard;
        private static volatile boolean goesOn;

        private FullHeap() {}

        public static void main(String[] arguments) throws Exception {
            IoThread ioThread = new IoThread();
            Thread thread = ioThread.call(Thread::currentThread);
            CountDownLatch begin = new CountDownLatch(1);
            ioThread.execute(() -> awaitAndFill(begin));
            ioThread.execute(() -> {
                hoard = null;
                goesOn = true;
            });
            begin.countDown();
            while (!goesOn && thread.isAlive()) {
                LockSupport.parkNanos(1_000_000); // which takes no memory
            }
            hoard = null;
            System.out.println(goesOn ? "goes on" : "has ended");
        }

        private static void awaitAndFill(CountDownLatch begin) {
            try {
                begin.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            for (int size = 1 << 20; ; size /= 2) {
                try {
                    while (true) {
                        hoard = new Object[] {hoard, new byte[size]};
                    }
                } catch (OutOfMemoryError e) {
                    if (size == 0) {
                        throw e;
                    }
                }
            }
        }
    }
}
