package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Hold;
import io.belay.internal.time.Threads;
import io.belay.memory.MemoryWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The thread of the timers has no processor, has ended or cannot be started: whoever calls in does what is due. */
class LateKeeperTest {
    private final ManualTime time = new ManualTime();
    private final MemoryWorld store = new MemoryWorld(time::micros);
    private final List<String> started = new ArrayList<>();
    private final List<Object> parked = new ArrayList<>();
    private boolean noneLeft;

    /** No thread of these ever runs; where one parks a second passes. */
    private final Threads idle = new Threads() {
        @Override
        public Thread start(String name, Runnable body) {
            if (noneLeft) {
                throw new OutOfMemoryError("unable to create native thread, says the test");
            }
            started.add(name);
            return new Thread(body, name);
        }

        @Override
        public void park(Object blocker) {
            parked.add(blocker);
            time.advanceTo(time.nanos() + 1_000_000_000);
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
            time.advanceTo(time.nanos() + Math.min(nanos, 1_000_000));
        }

        @Override
        public void unpark(@Nullable Thread thread) {}
    };

    private Client client(long number) {
        return Client.open(
                () -> number,
                BelayOptions.defaults().withCallbackExecutor(Runnable::run),
                time,
                idle,
                (client, listener) -> new FaultyStore(store, client, listener),
                true);
    }

    @Test
    void aWaiterDoesItselfWhatEndsItsWaitAndDoesNotParkAfterwards() throws Exception {
        held(client(1).lock("x").acquireAsync());
        assertThat(client(2).lock("x").tryAcquire(Duration.ofMillis(500))).isEmpty();
        assertThat(parked).hasSize(1);
    }

    /** A lock that a thread meets on its way to sleep parks it as well, and takes its waking for its own. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoHasTheLockOrMayComeForItBeforeItParksDoesNotPark(boolean barging) throws Exception {
        Lease first = held(
                client(1).lock("x", LockOptions.defaults().withBarging(barging)).acquireAsync());
        Hold waits = new Hold(((Hold) first).gate, ((Hold) first).asks, false, null);
        waits.gate.enter(waits, Long.MAX_VALUE);
        List<ReleaseOutcome> outcomes = new ArrayList<>();
        // The first look at the clock is that of who is about to park, the second that of who joins the watch of slow
        // waits.
        time.atNextLook = () -> time.atNextLook = () -> outcomes.add(first.release());
        assertThat(waits.await()).isTrue();
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
        assertThat(parked).isEmpty();
    }

    @Test
    void isHeldRenewsWhatIsLate() {
        Lease lease = held(client(1).lock("x").acquireAsync());
        time.advanceTo(time.nanos() + Duration.ofSeconds(20).toNanos());
        assertThat(lease.isHeld()).isTrue();
        time.advanceTo(time.nanos() + Duration.ofSeconds(20).toNanos());
        assertThat(lease.isHeld()).as("renewed 20 s ago").isTrue();
    }

    /** A thread that was not started counts as one that has ended. */
    @Test
    void aKeeperThatHasEndedIsReplaced() {
        Lease lease = held(client(1).lock("x").acquireAsync());
        assertThat(started).containsExactly("belay-keeper-belay");
        time.advanceTo(time.nanos() + Duration.ofSeconds(20).toNanos());
        assertThat(lease.isHeld()).isTrue();
        assertThat(started).containsExactly("belay-keeper-belay", "belay-keeper-belay");
    }

    /** It is paused still, so whoever calls in misses no keeper; else it would have two of them once it is resumed. */
    @Test
    void aPausedClientThatCannotStartItsKeeperHasNoneUntilItIsResumed() {
        Client client = client(1);
        Lease before = held(client.lock("x").acquireAsync());
        client.pause(Duration.ZERO);
        noneLeft = true;
        assertThatThrownBy(client::resume).isInstanceOf(OutOfMemoryError.class);
        noneLeft = false;
        started.clear();
        time.advanceTo(time.nanos() + Duration.ofSeconds(20).toNanos());
        assertThat(before.isHeld()).isFalse();
        assertThat(started).isEmpty();
        client.resume();
        assertThat(started).containsExactly("belay-keeper-belay", "belay-connect-belay");
    }

    @Test
    void aClientThatCannotStartItsKeeperClosesTheStoreAgain() {
        AtomicBoolean closed = new AtomicBoolean();
        assertThatThrownBy(() -> Client.open(
                        () -> 1,
                        BelayOptions.defaults(),
                        time,
                        new WithoutThreads(),
                        (number, listener) -> new FaultyStore(store, number, listener) {
                            @Override
                            public void close() {
                                closed.set(true);
                            }
                        },
                        true))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(closed).isTrue();
    }

    private static final class WithoutThreads implements Threads {
        @Override
        public Thread start(String name, Runnable body) {
            throw new OutOfMemoryError("unable to create native thread, says the test");
        }

        @Override
        public void park(Object blocker) {}

        @Override
        public void parkNanos(Object blocker, long nanos) {}

        @Override
        public void unpark(@Nullable Thread thread) {}
    }
}
