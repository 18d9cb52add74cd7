package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.Deadlock;
import io.belay.DeadlockException;
import io.belay.DeadlockPolicy;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReentrantDistributedLock;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import io.belay.internal.gate.Unwakeable;
import io.belay.spi.Claim;
import io.belay.spi.Request;
import io.belay.support.Logged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings of those who wait for each other, by clients whose clocks only the test moves. */
class DeadlockTest {
    private static final Duration SOON = Duration.ofMillis(2_500);
    private static final LockOptions THROWS = LockOptions.defaults().withDeadlock(DeadlockPolicy.THROW);

    private final TestWorld world = new TestWorld();
    private final List<Deadlock> told = new ArrayList<>();
    private final BelayListener listener = new BelayListener() {
        @Override
        public void deadlock(Deadlock deadlock) {
            told.add(deadlock);
        }
    };

    private Node node() {
        return world.client(BelayOptions.defaults().withListener(listener));
    }

    private static CompletableFuture<Lease> asks(Node node, String who, String name, LockOptions options) {
        return node.client().onBehalfOf(who).lock(name, options).acquireAsync();
    }

    /** Those of a ring in which each holds one lock and waits for the next one's, in the order in which they began to wait. */
    private List<CompletableFuture<Lease>> ring(List<Node> nodes, LockOptions options) {
        int size = nodes.size();
        for (int i = 0; i < size; i++) {
            held(asks(nodes.get(i), "job " + i, "lock " + i, options));
        }
        List<CompletableFuture<Lease>> waits = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            waits.add(asks(nodes.get(i), "job " + i, "lock " + (i + 1) % size, options));
            world.pass(Duration.ofMillis(10));
        }
        return waits;
    }

    private List<Node> nodes(int count) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(node());
        }
        return nodes;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void theYoungestWaitOfARingEnds(int size) {
        List<CompletableFuture<Lease>> waits = ring(nodes(size), THROWS);
        world.pass(SOON);
        CompletableFuture<Lease> victim = waits.get(size - 1);
        assertThat(waits.stream().filter(CompletableFuture::isCompletedExceptionally))
                .as("one gives up, the last to come")
                .containsExactly(victim);
        assertThatThrownBy(victim::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(DeadlockException.class, e -> {
                    Deadlock deadlock = e.deadlock();
                    assertThat(deadlock).isNotNull();
                    assertThat(deadlock.ring()).hasSize(size);
                    for (int i = 0; i < size; i++) {
                        Deadlock.Edge edge = deadlock.ring().get(i);
                        int job = Integer.parseInt(edge.behalf().substring(4));
                        assertThat(job)
                                .as("the first holds what the victim waits for")
                                .isEqualTo(i);
                        assertThat(edge.client()).isEqualTo("client-" + (job + 1));
                        assertThat(edge.holds()).isEqualTo("lock " + job);
                        assertThat(edge.waitsFor()).isEqualTo("lock " + (job + 1) % size);
                        assertThat(edge.thread())
                                .isEqualTo(Thread.currentThread().getName());
                        assertThat(edge.process())
                                .isEqualTo(ProcessHandle.current().pid());
                        assertThat(edge.token()).isPositive();
                        assertThat(edge.waited()).isBetween(Duration.ofSeconds(1), SOON);
                        assertThat(edge.held()).isGreaterThanOrEqualTo(edge.waited());
                        assertThat(edge.victim()).isEqualTo(job == size - 1);
                        assertThat(edge.own()).isEqualTo(job == size - 1);
                    }
                });
        assertThat(told).as("each client tells it").hasSize(size);
    }

    @Test
    void leasesReportAndWaitOn() {
        List<Node> nodes = nodes(2);
        List<CompletableFuture<Lease>> waits = ring(nodes, LockOptions.defaults());
        world.pass(Duration.ofSeconds(20));
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        for (Node node : nodes) {
            assertThat(node.client().admin().inspect("lock 0").claims())
                    .as("the one who holds it and the one who waits")
                    .extracting(Inspection.Claim::waitsFor)
                    .containsExactly(Optional.of("lock 1"), Optional.empty());
        }
        assertThat(told)
                .hasSize(2)
                .allSatisfy(deadlock -> assertThat(deadlock.ring()).hasSize(2).noneMatch(Deadlock.Edge::victim));
    }

    @Test
    void theNextYoungestGivesUpIfTheFirstWaitsAgain() {
        List<Node> nodes = nodes(3);
        List<CompletableFuture<Lease>> waits = ring(nodes, THROWS);
        world.pass(SOON);
        assertThat(waits.get(2)).isCompletedExceptionally();
        CompletableFuture<Lease> again = asks(nodes.get(2), "job 2", "lock 0", THROWS);
        world.pass(Duration.ofSeconds(5));
        assertThat(waits.get(1)).as("the next one").isCompletedExceptionally();
        assertThat(waits.get(0)).as("the oldest").isNotDone();
        assertThat(again).isNotDone();
    }

    @Test
    void aRingPassesTwiceThroughOneClient() {
        Node a = node();
        Node b = node();
        held(asks(a, "one", "x", THROWS));
        held(asks(a, "two", "y", THROWS));
        held(asks(b, "three", "z", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        world.pass(Duration.ofMillis(10));
        CompletableFuture<Lease> two = asks(a, "two", "z", THROWS);
        world.pass(Duration.ofMillis(10));
        CompletableFuture<Lease> three = asks(b, "three", "x", THROWS);
        world.pass(SOON);
        assertThat(three).isCompletedExceptionally();
        assertThat(one).isNotDone();
        assertThat(two).isNotDone();
    }

    @Test
    void readersAreEdgesAndSoAreThoseWhoWaitBehindAWriter() {
        Node a = node();
        Node b = node();
        Node c = node();
        held(a.client()
                .onBehalfOf("reader")
                .readWriteLock("x", THROWS)
                .readLock()
                .acquireAsync());
        held(asks(b, "other", "y", THROWS));
        CompletableFuture<Lease> writer = c.client()
                .onBehalfOf("writer")
                .readWriteLock("x", THROWS)
                .writeLock()
                .acquireAsync();
        CompletableFuture<Lease> reader = asks(a, "reader", "y", THROWS);
        world.pass(Duration.ofMillis(10));
        CompletableFuture<Lease> other = b.client()
                .onBehalfOf("other")
                .readWriteLock("x", THROWS)
                .readLock()
                .acquireAsync();
        world.pass(SOON);
        assertThat(other).isCompletedExceptionally();
        assertThat(reader).isNotDone();
        assertThat(writer).as("is in no ring").isNotDone();
    }

    @Test
    void aStickyClaimThatNobodyHoldsIsNoEdge() {
        LockOptions sticky = THROWS.withSticky(Duration.ofMinutes(1));
        Node a = node();
        Node b = node();
        held(asks(a, "one", "x", sticky)).release();
        held(asks(b, "two", "y", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        CompletableFuture<Lease> two = asks(b, "two", "x", THROWS);
        world.pass(SOON);
        assertThat(two).as("x is given up as somebody wants it").isCompletedWithValueMatching(Lease::isHeld);
        assertThat(one).isNotDone();
        assertThat(told).isEmpty();
    }

    @Test
    void aStickyClaimThatIsGivenBackDuringTheWaitIsNoEdge() {
        Node a = node();
        Node b = node();
        Lease x = held(asks(a, "one", "x", THROWS.withSticky(Duration.ofMinutes(1))));
        held(asks(b, "two", "y", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        world.pass(SOON);
        assertThat(note("x")).contains("y");
        x.release();
        assertThat(world.claims("x")).as("it stays, as it is sticky").hasSize(1);
        assertThat(note("x")).isEmpty();
        CompletableFuture<Lease> two = asks(b, "two", "x", THROWS);
        world.pass(SOON);
        assertThat(two).isCompletedWithValueMatching(Lease::isHeld);
        assertThat(one).isNotDone();
        assertThat(told).isEmpty();
    }

    @Test
    void aNoteThatOutlivesItsWaitIsNoEdge() {
        Node a = node();
        Node b = node();
        Node c = node();
        held(asks(a, "one", "x", THROWS));
        Lease y = held(asks(b, "two", "y", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        CompletableFuture<Lease> three = asks(c, "three", "y", THROWS);
        world.pass(SOON);
        a.line().line = FaultyStore.Line.SILENT; // as if its process were stopped
        a.line().pushesLost = true;
        y.release();
        world.pass(Duration.ofSeconds(3));
        assertThat(three).as("has passed over it").isCompletedWithValueMatching(Lease::isHeld);
        assertThat(note("x")).contains("y");
        CompletableFuture<Lease> again = asks(c, "three", "x", THROWS);
        world.pass(Duration.ofSeconds(5));
        assertThat(told).isEmpty();
        a.line().line = FaultyStore.Line.UP;
        a.line().pushesLost = false;
        world.pass(Duration.ofSeconds(12)); // until it renews what it holds
        assertThat(again).as("it waits again, and now it is a deadlock").isCompletedExceptionally();
        assertThat(one).isNotDone();
        assertThat(told).hasSize(2);
    }

    @Test
    void aRingIsFoundThoughAnAnswerNeverComes() {
        List<Node> nodes = nodes(2);
        List<CompletableFuture<Lease>> waits = ring(nodes, LockOptions.defaults());
        world.pass(Duration.ofMillis(1_050)); // both are noted, and nobody has read
        nodes.forEach(node -> {
            node.line().line = FaultyStore.Line.SILENT;
            node.line().looks = 0;
        });
        world.pass(Duration.ofMillis(100));
        assertThat(nodes).allMatch(node -> node.line().looks > 0);
        nodes.forEach(node -> node.line().line = FaultyStore.Line.UP);
        world.pass(Duration.ofSeconds(5));
        assertThat(told).hasSize(2);
        assertThat(waits).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void thoseWhoWaitForOneLockShareWhatTheyRead() {
        Node a = node();
        held(asks(node(), "other", "x", THROWS));
        for (int i = 0; i < 10; i++) {
            held(asks(a, "job " + i, "lock " + i, THROWS));
            asks(a, "job " + i, "x", THROWS);
        }
        world.pass(Duration.ofSeconds(2));
        int before = a.line().looks;
        world.pass(Duration.ofSeconds(1));
        assertThat(a.line().looks - before).as("as for one of them").isEqualTo(2);
    }

    /** Where very much is held that takes longer than the timers' thread may, which renews it. */
    @Test
    void whatThoseWhoWaitHoldIsLookedForByAThreadThatNobodyWaitsFor() {
        List<Runnable> reports = new ArrayList<>();
        world.threads.reports = reports::add;
        List<CompletableFuture<Lease>> waits = ring(nodes(2), THROWS);
        world.pass(SOON);
        assertThat(told).isEmpty();
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        world.threads.reports = null;
        reports.forEach(Runnable::run);
        world.pass(SOON);
        assertThat(waits.get(1)).isCompletedExceptionally();
        assertThat(waits.get(0)).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Gates.heldBy", "Deadlocks$LongWait.fire", "Deadlocks.fail"})
    void aRingIsFoundAndBrokenThoughAnErrorComesBetween(String method) {
        List<CompletableFuture<Lease>> waits = ring(nodes(2), THROWS);
        world.failIn(method, 0);
        world.pass(method.equals("Deadlocks.fail") ? SOON.plusSeconds(1) : SOON.multipliedBy(4));
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
        assertThat(waits.get(1)).as("the last to come").isCompletedExceptionally();
        assertThat(waits.get(0)).isNotDone();
    }

    /** As where the recorder's class could not be initialized. */
    @Test
    void aRingIsBrokenThoughItCannotBeTold() {
        List<CompletableFuture<Lease>> waits = ring(nodes(2), THROWS);
        world.pass(Duration.ofMillis(1_270)); // that the waits are slow was told, and the ring is about to be
        world.threads.reports = task -> {
            throw new NoClassDefFoundError("thrown by the test");
        };
        world.pass(SOON.plusSeconds(1));
        assertThat(told).as("the premise: it was thrown").isEmpty();
        assertThat(waits.get(1)).as("the last to come").isCompletedExceptionally();
        assertThat(waits.get(0)).isNotDone();
    }

    @Test
    void whoWaitsForItselfIsToldSoonIfAnErrorKeepsItFromBeingToldAtOnce() throws Exception {
        Node a = node();
        Lease held = a.lock("x").acquire();
        world.failIn("Deadlocks.itself", 0);
        world.at(Duration.ofSeconds(3), held::release);
        a.lock("x").acquire().release();
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
        assertThat(told)
                .singleElement()
                .satisfies(deadlock -> assertThat(deadlock.ring()).hasSize(1));
    }

    /** Two requests of one user, say: the one waits for the other, which will give its lock back. */
    @Test
    void threadsThatWorkOnTheSameOnesBehalfAreNoOneOwner() throws Exception {
        ReentrantDistributedLock lock = node().client().onBehalfOf("one").reentrantLock("x");
        AtomicReference<Lease> other = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            lock.lock();
            other.set(lock.lease());
        });
        thread.start();
        thread.join();
        world.at(Duration.ofSeconds(10), other.get()::release);
        lock.lock();
        lock.unlock();
        assertThat(told).isEmpty();
    }

    /** The last answer of a reading is on its way while the client is paused, and goes on. */
    @Test
    void aRingThatAPauseHasEndedIsNotTold() {
        List<Node> nodes = nodes(2);
        Node paused = nodes.get(0);
        ring(nodes, LockOptions.defaults());
        world.pass(Duration.ofMillis(1_150)); // each has read once
        List<Runnable> answers = new ArrayList<>();
        paused.line().lookDelay = (name, answer) -> {
            if (name.equals("lock 0")) {
                answers.add(answer);
            } else {
                answer.run();
            }
        };
        world.pass(Duration.ofMillis(200));
        assertThat(answers).as("the premise: it has read whom it waits for").hasSize(1);
        List<Deadlock> before = List.copyOf(told);
        paused.client().pause(Duration.ZERO);
        paused.client().resume();
        world.threads.awaitEnd();
        answers.forEach(Runnable::run);
        assertThat(told).isEqualTo(before);
    }

    @Test
    void aStickyClaimThatIsHeldIsAnEdge() {
        List<CompletableFuture<Lease>> waits = ring(nodes(2), THROWS.withSticky(Duration.ofMinutes(1)));
        world.pass(SOON);
        assertThat(waits.get(1)).isCompletedExceptionally();
        assertThat(waits.get(0)).isNotDone();
    }

    @Test
    void aWaitBelowTheThresholdSendsNothingAndALongOneIsShownForAsLongAsItLasts() {
        Node a = node();
        Node b = node();
        held(asks(a, "one", "x", THROWS));
        Lease y = held(asks(b, "two", "y", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        world.pass(Duration.ofMillis(999));
        assertThat(a.sent(Request.Describe.class)).isZero();
        world.pass(Duration.ofMillis(300));
        assertThat(a.sent(Request.Describe.class)).isEqualTo(1);
        assertThat(note("x")).contains("y");
        y.release();
        assertThat(one).isCompleted();
        world.pass(Duration.ofMillis(250));
        assertThat(note("x")).isEmpty();
        assertThat(world.claims("x").get(0).owner().namedBehalf()).isEqualTo("one");
        assertThat(a.sent(Request.Describe.class)).isEqualTo(2);
        assertThat(told).isEmpty();
    }

    @Test
    void aLongWaitCostsARequestForEachLockHeldIfThatIsGivenBackSoon() {
        Node a = node();
        Node b = node();
        List<Lease> holds = List.of(held(asks(a, "one", "w", THROWS)), held(asks(a, "one", "x", THROWS)));
        Lease y = held(asks(b, "two", "y", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        world.pass(Duration.ofSeconds(5));
        assertThat(note("w")).contains("y");
        assertThat(note("x")).contains("y");
        y.release();
        held(one).release();
        holds.forEach(Lease::release);
        world.pass(SOON);
        assertThat(a.sent(Request.Describe.class)).isEqualTo(2);
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aNoteOfAWaitInVainIsTakenBackAtOnce() {
        Node a = node();
        held(asks(a, "one", "x", THROWS));
        held(asks(a, "two", "y", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        world.pass(SOON);
        assertThat(note("x")).contains("y");
        one.cancel(false);
        assertThat(world.claims("y"))
                .as("what the same client holds by another thread")
                .hasSize(1);
        assertThat(note("x")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aNoteThatAnErrorKeepsFromBeingTakenBackIsTakenBackSoon(int looks) {
        Node a = node();
        held(asks(a, "one", "x", THROWS));
        held(asks(a, "two", "y", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        world.pass(SOON);
        world.failIn("Deadlocks.ended", looks);
        one.cancel(false);
        assertThat(note("x")).as("the premise").contains("y");
        world.pass(Duration.ofSeconds(5));
        assertThat(note("x")).isEmpty();
    }

    @Test
    void aNoteOfAWaitForASharedLockIsTakenBackAtOnce() {
        Node a = node();
        Node b = node();
        held(asks(a, "one", "x", THROWS));
        Lease y = held(b.client()
                .onBehalfOf("two")
                .readWriteLock("y", THROWS)
                .writeLock()
                .acquireAsync());
        CompletableFuture<Lease> one = a.client()
                .onBehalfOf("one")
                .readWriteLock("y", THROWS)
                .readLock()
                .acquireAsync();
        world.pass(SOON);
        assertThat(note("x")).contains("y");
        y.release();
        assertThat(one).as("while others may hold it, too").isCompletedWithValueMatching(Lease::isHeld);
        assertThat(note("x")).isEmpty();
    }

    /** Else it would end a wait that goes on, until the next look begins it again. */
    @Test
    void theSearchGoesOnForAWaitWhoseEndFails() {
        Node a = node();
        Hold x = (Hold) held(asks(a, "one", "x", THROWS));
        Hold y = (Hold) held(asks(a, "two", "y", THROWS));
        CompletableFuture<Lease> future = new CompletableFuture<>();
        Unwakeable one = new Unwakeable(y.gate, x.asks, future);
        y.gate.enter(one, Long.MAX_VALUE);
        y.gate.follow(one, future);
        world.pass(SOON);
        assertThat(note("x")).as("the premise").contains("y");
        one.fails = true;
        List<String> lines = Logged.during("that was to follow a step failed", () -> future.cancel(false));
        assertThat(one.failures).as("the premise").isOne();
        assertThat(one.isPending()).as("the premise").isTrue();
        assertThat(lines).isEmpty();
        one.fails = false;
        y.release();
        world.pass(Duration.ofSeconds(5));
        assertThat(note("x")).isEmpty();
        assertThat(world.claims("y")).as("nobody wants it").isEmpty();
    }

    private String note(String name) {
        return world.claims(name).stream()
                .map(Claim::owner)
                .findFirst()
                .orElseThrow()
                .note();
    }

    @Test
    void whatUsersNameIsNoNote() {
        Node a = node();
        held(asks(a, "one\u001f1\u001f1\u001ftb\u001fx", "x", THROWS));
        assertThat(note("x")).isEmpty();
        assertThat(world.claims("x").get(0).owner().behalf()).isEqualTo("one 1 1 tb x");
    }

    @Test
    void aRingThroughALeaseThatAnotherThreadMayGiveBackIsReportedOnly() {
        Node a = node();
        Node b = node();
        Lease passed = held(asks(a, "one", "x", LockOptions.defaults()));
        held(asks(b, "two", "y", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        CompletableFuture<Lease> two = asks(b, "two", "x", THROWS);
        world.pass(Duration.ofSeconds(20));
        assertThat(one).isNotDone();
        assertThat(told)
                .hasSize(2)
                .allSatisfy(deadlock -> assertThat(deadlock.ring()).noneMatch(Deadlock.Edge::victim));
        passed.release();
        world.pass(SOON);
        assertThat(two).as("goes on").isCompletedWithValueMatching(Lease::isHeld);
    }

    @Test
    void aWaitForPermitsIsToldAndNotBroken() {
        Node a = node();
        Node b = node();
        held(a.client().onBehalfOf("one").semaphore("x", 1, THROWS).permits(1).acquireAsync());
        held(asks(b, "two", "y", THROWS));
        CompletableFuture<Lease> one = asks(a, "one", "y", THROWS);
        CompletableFuture<Lease> two = b.client()
                .onBehalfOf("two")
                .semaphore("x", 1, THROWS)
                .permits(1)
                .acquireAsync();
        world.pass(Duration.ofSeconds(10));
        assertThat(one).isNotDone();
        assertThat(two).isNotDone();
        assertThat(told).hasSize(2).allMatch(Deadlock::permits);
    }

    @Test
    void nothingIsLookedForWithoutTheOption() {
        Node a = world.client(BelayOptions.defaults().withListener(listener).withDeadlockCheck(Duration.ZERO));
        Node b = world.client(BelayOptions.defaults().withListener(listener).withDeadlockCheck(Duration.ZERO));
        List<CompletableFuture<Lease>> waits = ring(List.of(a, b), THROWS);
        world.pass(SOON);
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        assertThat(a.sent(Request.Describe.class) + b.sent(Request.Describe.class))
                .isZero();
        assertThat(told).isEmpty();
    }
}
