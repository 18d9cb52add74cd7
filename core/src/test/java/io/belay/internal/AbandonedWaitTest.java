package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.DistributedReadWriteLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.OwnHold;
import io.belay.ReentrantDistributedLock;
import io.belay.ReentrantDistributedReadWriteLock;
import io.belay.ReleaseOutcome;
import io.belay.SlowWait;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An Error strikes one who waits, as where no memory is left, or no stack: the lock goes to nobody who is not there any more. */
class AbandonedWaitTest {
    private static final Error ERROR = new NoClassDefFoundError("thrown by the test");

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    @AfterEach
    void theLockIsFree() {
        world.time.atNextLook = null;
        assertThat(world.claims("x")).isEmpty();
        assertThat(a.size()).isZero();
        assertThat(b.size()).isZero();
    }

    @Test
    void aThreadGivesItsWaitUp() {
        Lease first = held(a.lock("x").acquireAsync());
        world.failIn("Hold.park", 0);
        assertThatThrownBy(() -> b.lock("x").acquire()).isInstanceOf(NoClassDefFoundError.class);
        assertThat(world.claims("x")).as("the holder's alone").hasSize(1);
        first.release();
    }

    /** As it is invited, or as it is handed the lock. */
    @Test
    void aThreadThatCannotEvenGiveUpGivesBackWhatItGets() {
        for (boolean barging : new boolean[] {true, false}) {
            Hold first = (Hold) held(
                    a.lock("x", LockOptions.defaults().withBarging(barging)).acquireAsync());
            Hold waits = new Hold(first.gate, first.asks, false, null);
            waits.gate.enter(waits, Long.MAX_VALUE);
            world.time.atNextLook = () -> {
                world.failIn("Hold.abandon", 0);
                throw ERROR;
            };
            assertThatThrownBy(waits::await).isInstanceOf(NoClassDefFoundError.class);
            assertThat(world.time.atNextLook)
                    .as("the premise: both were thrown")
                    .isNull();
            assertThat(waits.isPending()).isTrue();
            first.release();
            assertThat(world.claims("x")).isEmpty();
        }
    }

    @Test
    void whatAThreadHasGotWhenTheErrorComesIsGivenBack() {
        Hold first = (Hold)
                held(a.lock("x", LockOptions.defaults().withBarging(false)).acquireAsync());
        Hold waits = new Hold(first.gate, first.asks, false, null);
        waits.gate.enter(waits, Long.MAX_VALUE);
        world.time.atNextLook = () -> {
            first.release();
            throw ERROR;
        };
        assertThatThrownBy(waits::await).isSameAs(ERROR);
        assertThat(waits.stay()).as("the premise: it had the lock").isNotNull();
    }

    @Test
    void aFutureThatNobodyIsGivenEndsItsWait() {
        Hold first = (Hold) held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> future = new CompletableFuture<>() {
            @Override
            public CompletableFuture<Lease> whenComplete(BiConsumer<? super Lease, ? super Throwable> action) {
                throw ERROR;
            }
        };
        Hold waits =
                new Hold(first.gate, first.asks, false, new Hold.Completion<>(future, lease -> lease.orElseThrow()));
        waits.gate.enter(waits, Long.MAX_VALUE);
        assertThatThrownBy(() -> waits.gate.follow(waits, future)).isSameAs(ERROR);
        assertThat(a.client().admin().waits()).isEmpty();
        first.release();
        assertThat(future).as("who has it all the same is told of no lease").isNotDone();
    }

    @Test
    void whatAFutureThatNobodyIsGivenGetsIsGivenBackThoughItsWaitCannotBeGivenUp() {
        Hold first = (Hold) held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> future = new CompletableFuture<>() {
            @Override
            public CompletableFuture<Lease> whenComplete(BiConsumer<? super Lease, ? super Throwable> action) {
                world.failIn("Hold.abandon", 0);
                throw ERROR;
            }
        };
        Hold waits =
                new Hold(first.gate, first.asks, false, new Hold.Completion<>(future, lease -> lease.orElseThrow()));
        waits.gate.enter(waits, Long.MAX_VALUE);
        assertThatThrownBy(() -> waits.gate.follow(waits, future)).isInstanceOf(NoClassDefFoundError.class);
        assertThat(world.time.atNextLook).as("the premise: both were thrown").isNull();
        first.release();
        assertThat(future).isNotDone();
    }

    @Test
    void aReentrantLockThatCannotBeNotedIsGivenBack() {
        ReentrantDistributedLock other = a.client().reentrantLock("y");
        other.lock();
        ReentrantDistributedLock lock = a.client().reentrantLock("x");
        world.failIn("ReentrantLocks.add", 0);
        assertThatThrownBy(lock::lock).isInstanceOf(NoClassDefFoundError.class);
        assertThat(world.claims("x")).isEmpty();
        lock.lock();
        lock.unlock();
        other.unlock();
    }

    @Test
    void whatCannotBeUnlockedIsGivenBackSoon() {
        ReentrantDistributedLock lock = a.client().reentrantLock("x");
        lock.lock();
        world.failIn("ReentrantLock.unlock", 0);
        assertThatThrownBy(lock::unlock).isInstanceOf(NoClassDefFoundError.class);
        assertThat(world.claims("x")).as("the premise").hasSize(1);
        world.pass(Duration.ofSeconds(2));
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void whatCannotBeGivenBackSoonEitherIsGivenBackWhenItsThreadComesAgain() {
        ReentrantDistributedLock lock = a.client().reentrantLock("x");
        for (boolean locks : new boolean[] {false, true}) {
            lock.lock();
            world.time.atNextLook = () -> {
                world.failIn("ReentrantLock.unlock", 0);
                throw ERROR;
            };
            assertThatThrownBy(lock::unlock).isInstanceOf(NoClassDefFoundError.class);
            world.pass(Duration.ofMinutes(1));
            assertThat(world.claims("x")).as("the premise").hasSize(1);
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.getHoldCount()).isZero();
            if (locks) {
                lock.lock();
                assertThat(lock.getHoldCount()).isOne();
            }
            lock.unlock();
            assertThat(world.claims("x")).isEmpty();
        }
    }

    @Test
    void aWriterThatCouldNotBeMadeAReaderGoesWithTheReader() {
        ReentrantDistributedReadWriteLock lock = a.client().reentrantReadWriteLock("x");
        for (int i = 0; i < 2; i++) { // the second time it is what the first one has left that is come upon
            lock.writeLock().lock();
            lock.readLock().lock();
            world.failIn("ReadWrite.downgradeInside", 0);
            assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(NoClassDefFoundError.class);
            assertThat(world.claims("x")).as("the premise").hasSize(1);
            lock.readLock().unlock();
            assertThat(world.claims("x")).isEmpty();
            lock.readLock().lock();
            lock.readLock().unlock();
        }
    }

    @Test
    void anUpgradeThatNobodyWaitsForAnyMoreIsUndone() {
        DistributedReadWriteLock lock = a.client().readWriteLock("x");
        Lease reader = held(lock.readLock().acquireAsync());
        a.line().delay = arrives -> world.at(Duration.ofMillis(10), arrives);
        world.failIn("Engine.await", 0);
        assertThatThrownBy(() -> lock.tryUpgrade(reader)).isInstanceOf(NoClassDefFoundError.class);
        a.line().delay = null;
        world.pass(Duration.ofSeconds(1));
        reader.release();
    }

    @Test
    void anUpgradeThatNoThreadCanTellIsToldAsFailedAndGivenBack() {
        AtomicBoolean none = new AtomicBoolean();
        Node node = world.client(BelayOptions.defaults().withCallbackExecutor(task -> {
            if (none.get()) {
                throw ERROR;
            }
            task.run();
        }));
        DistributedReadWriteLock lock = node.client().readWriteLock("x");
        Lease reader = held(lock.readLock().acquireAsync());
        none.set(true);
        world.threads.callbacks = task -> {
            throw ERROR;
        };
        CompletableFuture<Optional<Lease>> asked = lock.tryUpgradeAsync(reader);
        world.pass(Duration.ofSeconds(1));
        assertThat(asked).isCompletedExceptionally();
        assertThatThrownBy(asked::join).hasCause(ERROR);
        assertThat(node.size()).isZero();
    }

    @Test
    void aFutureThatNoThreadCanCompleteIsToldSoAndItsLockGivenBack() {
        Node node = world.client(BelayOptions.defaults().withCallbackExecutor(task -> {
            throw ERROR;
        }));
        world.threads.callbacks = task -> {
            throw ERROR;
        };
        CompletableFuture<Lease> asked = node.lock("x").acquireAsync();
        assertThat(asked).isCompletedExceptionally();
        assertThatThrownBy(asked::join).hasCause(ERROR);
        assertThat(node.size()).isZero();
    }

    @Test
    void aLeaderIsToldThoughItsObserversCannotBe() {
        world.failIn("Election.announce", 0);
        Lease term = b.client().election("x").tryCampaign().orElseThrow();
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
        assertThat(term.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    // Those who look at waits and holds that are long.

    private static final class Told implements BelayListener {
        final List<SlowWait> slow = new ArrayList<>();
        final List<OwnHold> longHolds = new ArrayList<>();

        @Override
        public void slowWait(SlowWait wait) {
            slow.add(wait);
        }

        @Override
        public void longHold(OwnHold hold) {
            longHolds.add(hold);
        }
    }

    @Test
    void aWaitThatIsNotLookedAtGoesOnAndTheNextOneAsksAgain() {
        Told told = new Told();
        Node node = world.client(BelayOptions.defaults().withListener(told).withSlowWait(Duration.ofSeconds(1)));
        Lease first = held(a.lock("x").acquireAsync());
        world.failIn("SlowWatch.add", 0);
        CompletableFuture<Lease> one = node.lock("x").acquireAsync();
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
        CompletableFuture<Lease> other = node.lock("x").acquireAsync();
        world.pass(Duration.ofSeconds(2));
        assertThat(told.slow).hasSize(2);
        first.release();
        held(one).release();
        held(other).release();
    }

    @Test
    void aHoldThatIsNotLookedAtIsToldToItsWaiter() {
        Told told = new Told();
        Node node = world.client(BelayOptions.defaults().withListener(told).withLongHold(Duration.ofSeconds(1)));
        world.failIn("SlowWatch.add", 0);
        CompletableFuture<Lease> one = node.lock("x").acquireAsync();
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
        CompletableFuture<Lease> other = node.lock("x").acquireAsync();
        held(one).release();
        world.pass(Duration.ofSeconds(2));
        assertThat(told.longHolds).hasSize(1);
        held(other).release();
    }
}
