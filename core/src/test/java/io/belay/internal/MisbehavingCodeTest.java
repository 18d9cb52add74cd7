package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.claim.ClaimOwner;
import io.belay.internal.gate.Gate;
import io.belay.internal.gate.Hold;
import io.belay.internal.gate.Uncounted;
import io.belay.internal.time.StepLock;
import io.belay.internal.time.Timers;
import io.belay.servers.Pace;
import io.belay.support.Logged;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Users' listeners and executors, and drivers, throw what they like: nobody else loses anything by it. */
class MisbehavingCodeTest {
    private static final Error ERROR = new NoClassDefFoundError("thrown by the test");

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    @Test
    void anErrorOfTheDriverOnTheTimersThreadEndsNoRenewals() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().thrown = ERROR;
        world.pass(Duration.ofSeconds(20));
        a.line().thrown = null;
        world.pass(Duration.ofMinutes(2));
        assertThat(lease.isHeld()).isTrue();
    }

    /** The store sends renewals that fall due together one by one, as those do that have nothing better. */
    @Test
    void anErrorOfTheDriverAtOneRenewalEndsNoOther() {
        List<Lease> leases = Stream.of("x", "y", "z")
                .map(name -> held(a.lock(name).acquireAsync()))
                .toList();
        a.line().unusable = request -> {
            if (request.resource().equals("y")) {
                throw ERROR;
            }
            return false;
        };
        world.pass(Duration.ofMinutes(1));
        assertThat(leases).extracting(Lease::isHeld).containsExactly(true, false, true);
    }

    @Test
    void aLossIsToldThoughTheDriverThrowsErrors() {
        List<String> told = new ArrayList<>();
        held(a.lock("x").acquireAsync()).onLost(loss -> told.add("x"));
        a.line().thrown = ERROR;
        world.pass(Duration.ofSeconds(31));
        assertThat(told).containsExactly("x");
    }

    @Test
    void aTimerThatThrowsAnErrorKeepsNoOtherFromFiring() {
        List<Long> fired = new ArrayList<>();
        Timers timers = a.engine().timers;
        for (int i = 0; i < 3; i++) {
            timers.schedule(
                    new Timers.Timer() {
                        @Override
                        public void fire(long now) {
                            fired.add(now);
                            throw ERROR;
                        }
                    },
                    world.time.nanos() + 1_000);
        }
        world.pass(Duration.ofMillis(1));
        assertThat(fired).hasSize(3);
    }

    @Test
    void anErrorThatFollowsAStepLeavesTheLockUsable() {
        StepLock steps = new StepLock(() -> {});
        List<String> done = new ArrayList<>();
        steps.run(() -> {
            steps.later(() -> {
                throw ERROR;
            });
            steps.later(() -> done.add("the rest"));
        });
        steps.run(() -> steps.later(() -> done.add("the next step")));
        assertThat(done).containsExactly("the rest", "the next step");
    }

    /** An error comes before the step has its lock, as here an assertion's, which another step has and keeps. */
    @Test
    void aStepThatCannotBeginEndsNoOther() {
        Hold hold = (Hold) held(a.lock("x").acquireAsync());
        Gate gate = hold.gate;
        List<Runnable> others = List.of(
                () -> gate.step(machine -> {}),
                () -> gate.ask(machine -> true),
                () -> gate.enter(hold, 0),
                hold::discard);
        for (Runnable other : others) {
            gate.step(machine -> {
                assertThatThrownBy(other::run).isInstanceOf(AssertionError.class);
                assertThatThrownBy(other::run).isInstanceOf(AssertionError.class);
            });
        }
        assertThat(hold.isHeld()).isTrue();
    }

    /** There may be no memory to count by: whoever waits is woken, and a gate that retires is handed out no more. */
    @Test
    void anErrorAsAReleaseIsCountedKeepsNobodyFromTheLock() throws Exception {
        Hold first = (Hold) held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> next = a.lock("x").acquireAsync();
        Uncounted.make(first.gate);
        assertThatThrownBy(first::release).isInstanceOf(NullPointerException.class);
        world.pass(Duration.ofSeconds(1));
        Hold second = (Hold) held(next);
        assertThat(second.gate).isSameAs(first.gate);
        var unused = second.releaseAsync();
        world.pass(Duration.ofSeconds(1));
        assertThat(second.isHeld()).isFalse();
        assertThat(world.claims("x")).isEmpty();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try { // which may never end
            Hold third =
                    (Hold) other.submit(() -> held(a.lock("x").acquireAsync())).get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(third.gate).isNotSameAs(first.gate);
            assertThat(third.release()).isEqualTo(ReleaseOutcome.RELEASED);
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void anErrorBeforeALeaseIsHandedOutIsToldAndGivesItBack() {
        Hold first = (Hold) held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = new CompletableFuture<>();
        Hold second = new Hold(first.gate, first.asks, false, new Hold.Completion<>(waiting, lease -> {
            throw ERROR;
        }));
        first.gate.enter(second, Long.MAX_VALUE);
        first.release();
        assertThat(waiting).isCompletedExceptionally();
        assertThatThrownBy(waiting::join).hasCause(ERROR);
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void anErrorAsPermitsAreAskedForAgainIsTold() {
        List<Runnable> callbacks = new ArrayList<>();
        Node node = world.client(BelayOptions.defaults().withCallbackExecutor(callbacks::add));
        a.client().semaphore("s", 1).resize(2);
        DistributedLock one = node.client().joinSemaphore("s").permits(1);
        a.client().joinSemaphore("s").resize(3);
        CompletableFuture<Optional<Lease>> asked = one.tryAcquireAsync(Duration.ofSeconds(1));
        callbacks.remove(0).run(); // the refusal, after which it asks how many there are
        failAtTheNextLookAtTheClock();
        callbacks.remove(0).run();
        assertThat(asked).isCompletedExceptionally();
        assertThatThrownBy(asked::join).hasCause(ERROR);
    }

    @Test
    void anErrorAsPermitsAreAboutToBeAskedForAgainIsTold() {
        List<Runnable> callbacks = new ArrayList<>();
        AtomicBoolean fails = new AtomicBoolean();
        Node node = world.client(BelayOptions.defaults().withCallbackExecutor(task -> {
            if (fails.get()) {
                throw ERROR;
            }
            callbacks.add(task);
        }));
        a.client().semaphore("s", 1).resize(2);
        DistributedLock one = node.client().joinSemaphore("s").permits(1);
        a.client().joinSemaphore("s").resize(3);
        CompletableFuture<Optional<Lease>> asked = one.tryAcquireAsync(Duration.ofSeconds(1));
        fails.set(true);
        world.threads.callbacks = task -> {
            throw ERROR;
        };
        callbacks.remove(0).run(); // the refusal
        assertThat(asked).isCompletedExceptionally();
        assertThatThrownBy(asked::join).hasCause(ERROR);
    }

    @Test
    void anErrorAsTheNumberOfPermitsIsAskedForIsTold() {
        List<Runnable> callbacks = new ArrayList<>();
        Node node = world.client(BelayOptions.defaults().withCallbackExecutor(callbacks::add));
        a.client().semaphore("s", 1).resize(2);
        DistributedLock one = node.client().joinSemaphore("s").permits(1);
        a.client().joinSemaphore("s").resize(3);
        CompletableFuture<Optional<Lease>> asked = one.tryAcquireAsync(Duration.ofSeconds(1));
        failAtTheNextLookAtTheClock();
        callbacks.remove(0).run(); // the refusal
        assertThat(asked).isCompletedExceptionally();
        assertThatThrownBy(asked::join).hasCause(ERROR);
    }

    /** There is no memory for one more timer: the lease is had all the same, and is renewed. */
    @Test
    void aTimerThatCannotBeSetIsSetLater() {
        AtomicInteger left = FullTimers.of(a.engine().timers, Integer.MAX_VALUE, ERROR);
        Lease lease = held(a.lock("x").acquireAsync());
        left.set(0);
        world.pass(Duration.ofMinutes(1));
        assertThat(lease.isHeld()).isTrue();
    }

    /** It belongs to one who has come since those were listed who set theirs again. */
    @Test
    void aTimerThatCannotBeSetWhileOthersAreSetAgainIsSetLater() {
        AtomicInteger left = FullTimers.of(a.engine().timers, 1, ERROR);
        List<Lease> leases = new ArrayList<>();
        leases.add(held(a.lock("x").acquireAsync()));
        Collection<? extends ClaimOwner> gates = a.engine().gates;
        a.engine().gates = new AbstractCollection<ClaimOwner>() {
            @Override
            public Iterator<ClaimOwner> iterator() {
                a.engine().gates = gates;
                List<ClaimOwner> listed = List.copyOf(gates);
                left.set(1);
                leases.add(held(a.lock("y").acquireAsync()));
                return listed.iterator();
            }

            @Override
            public int size() {
                return gates.size();
            }
        };
        world.pass(Duration.ofMinutes(1));
        assertThat(leases).hasSize(2).allMatch(Lease::isHeld);
    }

    /** Its step fails, and the timer cannot be set for the next one, nor at the next run. */
    @Test
    void aTimerThatCannotBeSetAgainIsSetLater() {
        AtomicInteger left = FullTimers.of(a.engine().timers, 0, ERROR);
        Lease lease = held(a.lock("x").acquireAsync());
        world.pass(Duration.ofSeconds(9));
        left.set(2);
        world.failIn("Gate.fire", 0);
        for (int second = 0; second < 60; second++) {
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(left).hasValue(0);
        assertThat(lease.isHeld()).isTrue();
    }

    /** A step that cannot be settled has a waiter without a claim: it is to be taken again all the same. */
    @Test
    void aWaiterWithoutAClaimIsServedThoughItsTimerCouldNotBeSet() {
        AtomicInteger left = FullTimers.of(a.engine().timers, 0, ERROR);
        AtomicBoolean fails = new AtomicBoolean();
        Hold first = (Hold) held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = new CompletableFuture<>();
        Hold second =
                new Hold(first.gate, first.asks, false, new Hold.Completion<>(waiting, lease -> lease.orElseThrow())) {
                    @Override
                    public String threadName() {
                        if (fails.get()) {
                            throw ERROR;
                        }
                        return super.threadName();
                    }
                };
        first.gate.enter(second, Long.MAX_VALUE);
        fails.set(true);
        left.set(Integer.MAX_VALUE);
        b.client().admin().forceRelease("x");
        fails.set(false);
        left.set(0);
        assertThat(world.claims("x")).as("the premise: nobody has entered").isEmpty();
        world.pass(Duration.ofSeconds(10));
        assertThat(held(waiting).isHeld()).isTrue();
    }

    private void failAtTheNextLookAtTheClock() {
        world.time.atNextLook = () -> {
            throw ERROR;
        };
    }

    @Test
    void anErrorOfAnExecutorDelaysNobodyAndLeavesTheLockFree() {
        Node node = world.client(BelayOptions.defaults().withCallbackExecutor(task -> {
            throw ERROR;
        }));
        CompletableFuture<Lease> waiting = node.lock("x").acquireAsync();
        held(waiting).release();
        assertThat(a.lock("x").tryAcquire()).isPresent();
    }

    @Test
    void whatTheCallbackExecutorRejectsIsRunAllTheSame() {
        Node node = world.client(BelayOptions.defaults().withCallbackExecutor(task -> {
            throw new RejectedExecutionException("full");
        }));
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = node.lock("x").acquireAsync();
        CompletableFuture<Optional<Lease>> late = node.lock("x").tryAcquireAsync(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(1));
        assertThat(late).isCompletedWithValue(Optional.empty());
        first.release();
        assertThat(held(waiting).isHeld()).isTrue();
    }

    @Test
    void whatTheCallbackExecutorRejectsIsRunThoughThatCannotBeLogged() {
        Node node = world.client(BelayOptions.defaults().withCallbackExecutor(task -> {
            throw new RejectedExecutionException("full");
        }));
        world.failIn("Callbacks.run", 0);
        assertThat(held(node.lock("x").acquireAsync()).isHeld()).isTrue();
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
    }

    /** A line for each of many futures would hide all others. */
    @Test
    void thatTheCallbackExecutorRejectsIsLoggedEveryTenSecondsAtMost() {
        ExecutorService closed = Executors.newSingleThreadExecutor();
        closed.shutdown();
        Node node = world.client(BelayOptions.defaults().withCallbackExecutor(closed));
        List<String> lines = Logged.during("takes no more tasks", () -> {
            for (int i = 0; i < 100; i++) {
                held(node.lock("x").acquireAsync()).release();
            }
            world.pass(Duration.ofSeconds(10));
            held(node.lock("x").acquireAsync()).release();
        });
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("WARN io.belay.client").doesNotContain("more like this");
        assertThat(lines.get(1)).contains("and 99 more like this");
    }

    @Test
    void aListenersErrorKeepsNobodyElseFromBeingTold() {
        List<String> told = new ArrayList<>();
        Lease lease = held(a.lock("x", LockOptions.defaults().withMaxHold(Duration.ofSeconds(1)))
                .acquireAsync());
        lease.onLost(loss -> told.add("first"));
        lease.onLost(loss -> {
            throw ERROR;
        });
        lease.onLost(loss -> told.add("third"));
        world.pass(Duration.ofSeconds(1));
        assertThat(told).containsExactly("first", "third");
        assertThat(b.lock("x").tryAcquire()).isPresent();
    }

    @Test
    void eightListenersThatBlockDelayFurtherNoticesAndNoRenewal() {
        world.threads.telling = true;
        Node node = world.client();
        Semaphore goOn = new Semaphore(0);
        List<String> told = new CopyOnWriteArrayList<>();
        LockOptions brief = LockOptions.defaults().withMaxHold(Duration.ofSeconds(1));
        for (int i = 0; i < 9; i++) {
            held(node.lock("x" + i, brief).acquireAsync()).onLost(loss -> {
                told.add(Thread.currentThread().getName());
                goOn.acquireUninterruptibly();
            });
        }
        Lease other = held(node.lock("y").acquireAsync());
        List<String> lines = Logged.during("has waited for a second", () -> {
            world.pass(Duration.ofMillis(1_900));
            await().until(() -> told.size() == 8);
            world.pass(Duration.ofMinutes(2));
        });
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("WARN io.belay.client", "8 onLost listeners run at a time: have them");
        assertThat(other.isHeld()).isTrue();
        goOn.release();
        await().until(() -> told.size() == 9);
        assertThat(told.get(8)).as("by whoever went on").isIn(told.subList(0, 8));
        goOn.release(8);
        node.client().close();
    }

    /** Many leases may end at one instant. */
    @Test
    void noticesThatWaitForAMomentAreNotLogged() {
        world.threads.telling = true;
        Node node = world.client();
        List<String> told = new CopyOnWriteArrayList<>();
        LockOptions brief = LockOptions.defaults().withMaxHold(Duration.ofSeconds(1));
        for (int i = 0; i < 20; i++) {
            held(node.lock("x" + i, brief).acquireAsync()).onLost(loss -> told.add(loss.name()));
        }
        List<String> lines = Logged.during("has waited for a second", () -> {
            world.pass(Duration.ofMillis(1_900));
            await().until(() -> told.size() == 20);
            world.pass(Duration.ofSeconds(10));
        });
        assertThat(lines).isEmpty();
        assertThat(node.engine().timers.size()).as("nothing is left behind").isZero();
        node.client().close();
    }

    @Test
    void anObserversErrorKeepsItFromNothingLater() {
        AtomicReference<Long> seen = new AtomicReference<>(0L);
        b.client().election("e").observe(leader -> {
            seen.set(leader.map(known -> known.token()).orElse(0L));
            throw ERROR;
        });
        Lease term = held(a.client().election("e").campaignAsync());
        assertThat(seen.get()).isEqualTo(term.token());
        term.release();
        assertThat(seen.get()).isZero();
    }

    /** Else whoever is woken up would take it for the end of a wait that has the lock. */
    @Test
    void aWaitHasEndedThoughItCannotBeForgotten() throws Exception {
        Lease held = held(a.lock("x").acquireAsync());
        CompletableFuture<Optional<Lease>> waiting = b.lock("x").tryAcquireAsync(Duration.ofSeconds(1));
        world.pass(Duration.ofMillis(500));
        AtomicInteger removals = new AtomicInteger();
        Object machine =
                field(Gate.class, "machine").get(b.engine().gates.iterator().next());
        Object limits = field(machine.getClass(), "limits").get(machine);
        field(limits.getClass(), "overdue").set(limits, new HashSet<>() {
            @Override
            public boolean remove(Object any) {
                if (removals.incrementAndGet() == 2) { // the first one is before it ends
                    throw ERROR;
                }
                return super.remove(any);
            }
        });
        world.pass(Duration.ofSeconds(1));
        assertThat(removals.get()).as("the premise: it was thrown").isGreaterThanOrEqualTo(2);
        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(held.isHeld()).isTrue();
    }

    private static Field field(Class<?> of, String name) throws NoSuchFieldException {
        Field field = of.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
