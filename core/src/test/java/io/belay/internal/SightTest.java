package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.DistributedReadWriteLock;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockMode;
import io.belay.LockOptions;
import io.belay.LockStatistics;
import io.belay.LossReason;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.RequestKind;
import io.belay.SlowRequest;
import io.belay.SlowWait;
import io.belay.Statistics;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.Shown;
import io.belay.internal.claim.UrlOpener;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import io.belay.support.Logged;
import io.belay.support.NameRules;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who has what, who waits for whom, and what was lost by whom: what a client tells of itself and of others. */
class SightTest {
    private static final Duration MILLI = Duration.ofMillis(1);

    private final TestWorld world = new TestWorld();
    private final Events events = new Events();
    private final Node a =
            world.client(BelayOptions.defaults().withListener(events).withLongHold(Duration.ofMinutes(1)));
    private final Node b = world.client(BelayOptions.defaults().withListener(events));

    private static final class Events implements BelayListener {
        final List<SlowWait> slow = new ArrayList<>();
        final List<OwnHold> longHolds = new ArrayList<>();
        final List<LeaseLostException> lost = new ArrayList<>();
        final List<String> others = new ArrayList<>();

        @Override
        public void slowWait(SlowWait wait) {
            slow.add(wait);
        }

        @Override
        public void longHold(OwnHold hold) {
            longHolds.add(hold);
        }

        @Override
        public void lost(LeaseLostException loss) {
            lost.add(loss);
        }

        @Override
        public void refused(String name, String reason) {
            others.add("refused " + name);
        }

        @Override
        public void slowRequest(SlowRequest slow) {
            others.add("slow " + slow.kind() + " " + slow.took());
        }

        @Override
        public void storeAway(String reason) {
            others.add("away");
        }

        @Override
        public void storeBack(Duration away) {
            others.add("back after " + away.toSeconds() + " s");
        }
    }

    private Inspection.Claim holder(Node asks, String name) {
        return asks.client().admin().inspect(name).claims().get(0);
    }

    @Test
    void othersSeeWhoHasTheLockNowWithinARenewal() {
        Lease first = held(a.client().onBehalfOf("order 1").lock("x").acquireAsync());
        CompletableFuture<Lease> second =
                a.client().onBehalfOf("order 2").lock("x").acquireAsync();
        world.pass(MILLI);
        assertThat(holder(b, "x").behalf()).isEqualTo("order 1");
        first.release();
        assertThat(holder(a, "x").behalf())
                .as("the client itself knows at once")
                .isEqualTo("order 2");
        world.pass(Duration.ofSeconds(12));
        Inspection.Claim seen = holder(b, "x");
        assertThat(seen.behalf()).isEqualTo("order 2");
        assertThat(seen.thread()).isEqualTo(Thread.currentThread().getName());
        assertThat(seen.held()).hasValue(Duration.ofSeconds(12));
        assertThat(seen.age()).isEqualTo(Duration.ofSeconds(12).plus(MILLI));
        assertThat(seen.heard().orElseThrow()).isLessThan(Duration.ofSeconds(3));
        assertThat(seen.mode()).isEqualTo(LockMode.EXCLUSIVE);
        world.pass(Duration.ofMinutes(5));
        assertThat(a.sent(Request.Describe.class))
                .as("only when it has changed")
                .isEqualTo(1);
        held(second).release();
    }

    @Test
    void aKeptLockThatNobodyHasShowsNoThread() {
        LockOptions sticky = LockOptions.defaults().withSticky(Duration.ofMinutes(1));
        held(a.client().onBehalfOf("order 1").lock("x", sticky).acquireAsync()).release();
        assertThat(holder(b, "x").thread()).as("is told with the next renewal").isNotEmpty();
        assertThat(holder(a, "x").thread()).as("the client itself knows").isEmpty();
        assertThat(holder(a, "x").behalf()).isEmpty();
        assertThat(holder(a, "x").held()).isEmpty();
        world.pass(Duration.ofSeconds(12));
        assertThat(holder(b, "x").thread()).isEmpty();
        assertThat(holder(b, "x").held()).isEmpty();
    }

    @Test
    void aHoldThatComesAfterAnotherClientsIsNotTheOneThatWasToldOf() {
        Lease first = held(a.client().onBehalfOf("order 1").lock("x").acquireAsync());
        world.pass(Duration.ofSeconds(12));
        assertThat(holder(b, "x").held()).hasValue(Duration.ofSeconds(12));
        CompletableFuture<Lease> second =
                a.client().onBehalfOf("order 2").lock("x").acquireAsync();
        CompletableFuture<Lease> others = b.lock("x").acquireAsync();
        world.pass(MILLI);
        first.release();
        world.pass(Duration.ofSeconds(1));
        Lease between = held(others);
        assertThat(second).as("the premise: its client has let the other in").isNotDone();
        between.release();
        world.pass(MILLI);
        Lease last = held(second);
        assertThat(holder(b, "x").held()).as("is told with the next renewal").isEmpty();
        world.pass(Duration.ofSeconds(1));
        assertThat(holder(b, "x").held().orElseThrow())
                .isLessThanOrEqualTo(Duration.ofSeconds(1).plus(MILLI));
        last.release();
    }

    @Test
    void aDescriptionThatFailedIsSentAgain() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().unusable = request -> request instanceof Request.Describe;
        world.pass(Duration.ofSeconds(12));
        assertThat(holder(b, "x").held()).isEmpty();
        a.line().unusable = request -> false;
        world.pass(Duration.ofSeconds(12));
        assertThat(holder(b, "x").held()).hasValue(Duration.ofSeconds(24));
        lease.release();
    }

    @Test
    void modesAndPermitsAreShown() {
        held(a.client().readWriteLock("rw").readLock().acquireAsync());
        held(a.client().semaphore("s", 5).permits(3).acquireAsync());
        assertThat(holder(b, "rw").mode()).isEqualTo(LockMode.SHARED);
        assertThat(holder(b, "rw").permits()).isEqualTo(1);
        assertThat(holder(b, "s").mode()).isEqualTo(LockMode.PERMITS);
        assertThat(holder(b, "s").permits()).isEqualTo(3);
        assertThat(a.client().admin().holds())
                .extracting(OwnHold::name, OwnHold::mode, OwnHold::permits)
                .containsExactlyInAnyOrder(tuple("rw", LockMode.SHARED, 1), tuple("s", LockMode.PERMITS, 3));
    }

    @Test
    void aClientListsWhatItHoldsAndWaitsFor() {
        Lease x = held(a.client().onBehalfOf("job").lock("x").acquireAsync());
        held(b.lock("y").acquireAsync());
        CompletableFuture<Lease> y = a.lock("y").acquireAsync();
        world.pass(Duration.ofSeconds(3));
        int sent = a.line().sent.size() + a.line().looks;
        assertThat(a.client().admin().holds()).singleElement().satisfies(hold -> {
            assertThat(hold.name()).isEqualTo("x");
            assertThat(hold.token()).isEqualTo(x.token());
            assertThat(hold.behalf()).isEqualTo("job");
            assertThat(hold.held()).isEqualTo(Duration.ofSeconds(3));
            assertThat(hold.remaining()).isEqualTo(x.remaining());
        });
        assertThat(a.client().admin().waits()).extracting(OwnWait::name).containsExactly("y");
        assertThat(a.client().admin().waits().get(0).waited()).isEqualTo(Duration.ofSeconds(3));
        assertThat(a.client().admin().statistics().requests()).isNotEmpty();
        assertThat(a.client().admin().health().answering()).isTrue();
        assertThat(a.line().sent.size() + a.line().looks)
                .as("without a request")
                .isEqualTo(sent);
        y.cancel(false);
        x.release();
        assertThat(a.client().admin().holds()).isEmpty();
        assertThat(a.client().admin().waits()).isEmpty();
    }

    @Test
    void twoSlowWaitsSideBySideAreADeadlock() {
        Lease x = held(a.client().onBehalfOf("order 1").lock("x").acquireAsync());
        Lease y = held(b.client().onBehalfOf("order 2").lock("y").acquireAsync());
        a.client().onBehalfOf("order 1").lock("y").acquireAsync();
        b.client().onBehalfOf("order 2").lock("x").acquireAsync();
        world.pass(Duration.ofMillis(900));
        assertThat(events.slow).isEmpty();
        world.pass(Duration.ofMillis(600));
        assertThat(events.slow).hasSize(2);
        SlowWait first = events.slow.stream()
                .filter(slow -> slow.waiter().name().equals("y"))
                .findAny()
                .orElseThrow();
        assertThat(first.waiter().behalf()).isEqualTo("order 1");
        assertThat(first.waiter().waited()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_300));
        assertThat(first.ahead().get(0).client()).isEqualTo("client-2");
        assertThat(first.ahead().get(0).behalf()).isEqualTo("order 2");
        assertThat(first.ahead().get(0).token()).isEqualTo(y.token());
        assertThat(first.holds())
                .singleElement()
                .satisfies(hold -> assertThat(hold.token()).isEqualTo(x.token()));
        world.pass(Duration.ofMinutes(1));
        assertThat(events.slow)
                .as("each wait is told again after 10 s and a minute")
                .hasSize(6);
    }

    /** A thread that waits for no future may have begun many, for many who have nothing to do with each other. */
    @Test
    void aFuturesWaitIsToldWithWhatItsOwnOwnerHoldsAlone() throws Exception {
        held(a.lock("x").acquireAsync());
        Thread other =
                new Thread(() -> held(a.client().onBehalfOf("order 1").lock("z").acquireAsync()));
        other.start();
        other.join();
        held(b.lock("y").acquireAsync());
        a.lock("y").acquireAsync();
        a.client().onBehalfOf("order 1").lock("y").acquireAsync();
        world.pass(Duration.ofMillis(1_500));
        assertThat(events.slow)
                .extracting(slow -> slow.waiter().behalf()
                        + slow.holds().stream().map(OwnHold::name).toList())
                .containsExactlyInAnyOrder("[]", "order 1[z]");
    }

    @Test
    void aWaitThatGoesOnIsToldAgainAfterTenSecondsAMinuteAndTenMinutes() {
        held(a.lock("x").acquireAsync());
        List<Integer> told = new ArrayList<>();
        long begin = world.time.nanos();
        List<String> lines = Logged.during("has waited for the lock 'x'", () -> {
            b.lock("x").acquireAsync();
            for (int second : new int[] {2, 9, 11, 59, 61, 599, 601, 7_200}) {
                world.pass(Duration.ofSeconds(second).minusNanos(world.time.nanos() - begin));
                told.add(events.slow.size());
            }
        });
        assertThat(told).containsExactly(1, 1, 2, 2, 3, 3, 4, 4);
        assertThat(lines).hasSize(4);
    }

    /** What begins as a silence may turn out to be something else, which somebody can mend. */
    @Test
    void anotherCauseIsToldAtOnceAndTheSameOneIsNot() {
        held(a.lock("x").acquireAsync());
        List<String> lines = Logged.during("The store fails", () -> {
            a.line().line = FaultyStore.Line.SILENT;
            a.lock("y").acquireAsync();
            world.pass(Duration.ofMillis(2_001));
            a.line().line = FaultyStore.Line.REFUSED;
            world.pass(Duration.ofSeconds(7));
        });
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("it has not answered a request within 2000 ms");
        assertThat(lines.get(1)).contains("refused by the test");
        assertThat(events.others).containsExactly("away");
        a.line().up();
    }

    @Test
    void aStoreThatRefusesIsNotSaidToBeSilentAsSomeRequestsGetLost() {
        held(a.lock("x").acquireAsync());
        List<String> seen = new ArrayList<>();
        List<String> lines = Logged.during("The store fails", () -> {
            for (int i = 0; i < 20; i++) {
                a.line().line = FaultyStore.Line.SILENT;
                a.lock("lost " + i).acquireAsync();
                a.line().line = FaultyStore.Line.REFUSED;
                a.lock("refused " + i).acquireAsync();
                world.pass(Duration.ofMillis(300));
                seen.addAll(a.client().admin().health().failure().stream().toList());
            }
        });
        assertThat(seen).hasSize(20).allMatch(why -> why.contains("refused by the test"));
        assertThat(lines).singleElement().asString().contains("refused by the test");
        a.line().line = FaultyStore.Line.SILENT;
        a.lock("y").acquireAsync();
        world.pass(Duration.ofMillis(2_001));
        assertThat(a.client().admin().health().failure()).hasValue("it has not answered a request within 2000 ms");
    }

    /** A process may have several clients. */
    @Test
    void whichStoreItIsStandsInTheLogWithoutItsPassword() {
        AtomicReference<FaultyStore> line = new AtomicReference<>();
        StoreProvider provider = new StoreProvider() {
            @Override
            public Set<String> schemes() {
                return Set.of("test");
            }

            @Override
            public Store open(String url, long client, Store.Listener listener) {
                line.set(new FaultyStore(world.store, client, listener));
                return line.get();
            }
        };
        Client client = Client.open(
                () -> 9,
                BelayOptions.defaults().withCallbackExecutor(Runnable::run),
                world.time,
                world.threads,
                new UrlOpener(provider, "test://me:hidden@host", "test://me:***@host"),
                false);
        held(client.lock("x").acquireAsync());
        List<String> lines = Logged.during("test://", () -> {
            line.get().line = FaultyStore.Line.SILENT;
            client.lock("y").acquireAsync();
            world.freeze(Duration.ofMillis(2_001));
            client.engine().timers.run();
        });
        assertThat(lines)
                .singleElement()
                .asString()
                .endsWith("The store fails: test://me:***@host has not answered a request within 2000 ms");
    }

    @Test
    void aStoreThatIsSilentFails() {
        held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        a.lock("y").acquireAsync();
        world.pass(Duration.ofSeconds(1));
        assertThat(a.client().admin().health().answering()).isTrue();
        world.pass(Duration.ofMillis(1_001));
        assertThat(a.client().admin().health().answering()).isFalse();
        assertThat(a.client().admin().health().failure()).hasValue("it has not answered a request within 2000 ms");
        assertThat(events.others).contains("away");
        a.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(a.client().admin().health().answering()).isTrue();
    }

    /** Whatever telling throws, and however often. */
    @Test
    void aWaitEndsThoughItCannotBeToldThatTheStoreIsSilent() throws Exception {
        Field sight = Engine.class.getDeclaredField("sight");
        sight.setAccessible(true);
        Field events = sight.getType().getDeclaredField("events");
        events.setAccessible(true);
        events.set(sight.get(a.engine()), null);
        a.line().line = FaultyStore.Line.SILENT;
        CompletableFuture<Optional<Lease>> wait = a.lock("y").tryAcquireAsync(Duration.ofMillis(2_500));
        world.pass(Duration.ofSeconds(5));
        assertThat(wait).isDone();
    }

    @Test
    void forAllWhoWaitForOneLockTheStoreIsAskedOnce() {
        held(b.lock("x").acquireAsync());
        for (int i = 0; i < 100; i++) {
            a.lock("x").acquireAsync();
        }
        world.pass(Duration.ofSeconds(2));
        assertThat(events.slow).hasSize(100);
        assertThat(a.line().looks).isEqualTo(1);
    }

    @Test
    void anErrorAsAWaitBeginsToBeWatchedHidesNoOtherSlowWait() {
        held(b.lock("x").acquireAsync());
        held(b.lock("y").acquireAsync());
        world.failIn("SlowWatch.add", 0);
        a.lock("x").acquireAsync();
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
        a.lock("y").acquireAsync();
        world.pass(Duration.ofSeconds(2));
        assertThat(events.slow).extracting(slow -> slow.waiter().name()).contains("y");
    }

    /** Each acquisition of permits has a gate of its own. */
    @Test
    void forAllWhoWaitForPermitsOfOneSemaphoreTheStoreIsAskedOnce() {
        held(b.client().semaphore("s", 1).permits(1).acquireAsync());
        for (int i = 0; i < 50; i++) {
            a.client().semaphore("s", 1).permits(1).acquireAsync();
        }
        world.pass(Duration.ofSeconds(2));
        assertThat(events.slow).hasSize(50);
        assertThat(a.line().looks).isEqualTo(1);
    }

    /** A thread owns what it has waited for itself, for whomever it works. */
    @Test
    void whatAnotherThreadHoldsForTheSameIsNotTheWaiters() throws Exception {
        Thread other = new Thread(
                () -> a.client().onBehalfOf("order 1").lock("x").tryAcquire().orElseThrow());
        other.start();
        other.join();
        a.client().onBehalfOf("order 1").lock("x").acquireAsync();
        world.pass(Duration.ofSeconds(2));
        assertThat(events.slow)
                .singleElement()
                .satisfies(wait -> assertThat(wait.holds()).isEmpty());
    }

    @Test
    void aWaitThatEndsInTimeIsNotTold() {
        Lease lease = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> next = b.lock("x").acquireAsync();
        world.pass(Duration.ofMillis(900));
        lease.release();
        world.pass(Duration.ofSeconds(5));
        held(next).release();
        assertThat(events.slow).isEmpty();
        assertThat(b.engine().timers.size()).as("nothing is looked at any more").isZero();
    }

    @Test
    void aLongHoldIsToldOnce() {
        Lease lease = held(a.lock("x").acquireAsync());
        world.pass(Duration.ofSeconds(59));
        assertThat(events.longHolds).isEmpty();
        world.pass(Duration.ofMinutes(3));
        assertThat(events.longHolds)
                .singleElement()
                .satisfies(hold -> assertThat(hold.token()).isEqualTo(lease.token()));
        lease.release();
    }

    @Test
    void holdsAreNotLookedAtAgainAndAgainBeforeTheyAreLong() {
        List<Lease> all = IntStream.range(0, 100)
                .mapToObj(i -> held(a.lock("x" + i).acquireAsync()))
                .toList();
        AtomicInteger looks = new AtomicInteger();
        world.countLooksIn("SlowWatch.look", looks);
        world.pass(Duration.ofSeconds(50));
        assertThat(looks).hasValueBetween(100, 1_000);
        world.pass(Duration.ofSeconds(20));
        assertThat(events.longHolds).hasSize(100);
        all.forEach(Lease::release);
    }

    @Test
    void aLongHoldIsToldAlsoOfWhatAnotherHasBecome() {
        DistributedReadWriteLock lock = a.client().readWriteLock("x");
        Lease writer = held(lock.writeLock().acquireAsync());
        world.pass(Duration.ofMinutes(3));
        assertThat(events.longHolds).hasSize(1);
        Lease reader = lock.downgrade(writer);
        world.pass(Duration.ofSeconds(59));
        assertThat(events.longHolds).hasSize(1);
        world.pass(Duration.ofMinutes(3));
        assertThat(events.longHolds).hasSize(2);
        reader.release();
    }

    @Test
    void whoeverLosesALockByForceIsToldByWhom() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<LeaseLostException> told = new ArrayList<>();
        lease.onLost(told::add);
        world.pass(Duration.ofSeconds(5));
        assertThat(b.client().onBehalfOf("alice").admin().forceRelease("x")).isTrue();
        assertThat(told).singleElement().satisfies(loss -> {
            assertThat(loss.reason()).contains(LossReason.FORCED);
            assertThat(loss.forcedBy().orElseThrow()).contains("client-2", "for alice");
            assertThat(loss).hasMessageContainingAll("'x'", "by force", "client-2", "alice");
            assertThat(loss.name()).isEqualTo("x");
            assertThat(loss.token()).isEqualTo(lease.token());
            assertThat(loss.held()).isEqualTo(Duration.ofSeconds(5));
        });
        assertThat(events.lost).isEqualTo(told);
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        loss -> assertThat(loss.forcedBy()).isPresent());
        assertThat(a.client().admin().names("")).as("the note is hidden").containsExactly("x");
    }

    /** Users log what they are told: nobody else writes lines of their own into their logs. */
    @Test
    void whoeverTakesALockAwayIsNamedInOneLine() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<LeaseLostException> told = new ArrayList<>();
        lease.onLost(told::add);
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        thread.setName("a\nb");
        try {
            b.client().onBehalfOf("al\u001b[2Jice\r").admin().forceRelease("x");
        } finally {
            thread.setName(name);
        }
        assertThat(told).singleElement().satisfies(loss -> {
            assertThat(loss.forcedBy().orElseThrow()).endsWith("thread a?b, for al?[2Jice?)");
            assertThat(loss.getMessage()).contains("thread a?b").doesNotContain("\n", "\r", "\u001b");
        });
    }

    /** A database that stands still answers to what was asked long before, as soon as it goes on. */
    @Test
    void aReleaseByForceThatHasFailedTakesNothingFromTheNextHolder() {
        Lease hangs = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> next = world.client().lock("x").acquireAsync();
        List<Runnable> answers = new ArrayList<>();
        b.line().lookDelay = (name, answer) -> answers.add(answer);
        assertThatThrownBy(() -> b.client().admin().forceRelease("x"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("the store did not answer in time");
        world.at(Duration.ofSeconds(1), () -> List.copyOf(answers).forEach(Runnable::run));
        assertThat(b.client().admin().forceRelease("x")).isTrue();
        assertThat(answers).as("the premise: both were answered at once").hasSize(2);
        assertThat(hangs.isHeld()).isFalse();
        assertThat(held(next).isHeld()).isTrue();
        assertThat(world.claims(NameRules.hidden("x", "forced")))
                .as("the first leaves no note, either")
                .hasSize(1);
    }

    @Test
    void aLossByForceIsToldThoughTheStoreIsSilentThen() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<LeaseLostException> told = new ArrayList<>();
        lease.onLost(told::add);
        a.line().line = FaultyStore.Line.SILENT;
        b.client().admin().forceRelease("x");
        assertThat(lease.isHeld()).as("it is over at once").isFalse();
        world.pass(Duration.ofMillis(600));
        assertThat(told).singleElement().satisfies(loss -> {
            assertThat(loss.reason()).contains(LossReason.FORCED);
            assertThat(loss.forcedBy()).isEmpty();
        });
    }

    @Test
    void aLossByForceIsToldAtTheDeadlineAtTheLatest() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<LeaseLostException> told = new ArrayList<>();
        lease.onLost(told::add);
        a.line().line = FaultyStore.Line.SILENT; // so that nothing is renewed
        world.pass(lease.remaining().minusMillis(100));
        assertThat(lease.isHeld()).isTrue();
        b.client().admin().forceRelease("x");
        assertThat(told).as("the store is asked by whom").isEmpty();
        world.pass(Duration.ofMillis(101));
        assertThat(told).hasSize(1);
    }

    /** As its options say: it ends quietly, and only who holds it is told. */
    @Test
    void aFixedLeaseThatEndsAsItWasAskedToIsNoLossForTheListener() {
        List<LeaseLostException> told = new ArrayList<>();
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofSeconds(1));
        held(a.lock("x", fixed).acquireAsync()).onLost(told::add);
        world.pass(Duration.ofSeconds(2));
        assertThat(told)
                .singleElement()
                .satisfies(loss -> assertThat(loss.reason()).contains(LossReason.ENDED));
        assertThat(events.lost).isEmpty();
    }

    @Test
    void anOldNoteIsNotTakenForTheReasonOfAnotherLoss() {
        held(a.lock("x").acquireAsync());
        b.client().admin().forceRelease("x");
        events.lost.clear();
        world.pass(Duration.ofSeconds(20));
        held(a.lock("x").acquireAsync());
        world.pass(Duration.ofSeconds(5));
        world.store.run(Request.Leave.of("x", world.claims("x").get(0).id(), false)); // nobody of ours
        world.pass(Duration.ofSeconds(20));
        assertThat(events.lost)
                .singleElement()
                .satisfies(loss -> assertThat(loss.reason()).contains(LossReason.FORGOTTEN));
    }

    /** As on ZooKeeper, where it would be told of every later loss, for as long as the client lives that wrote it. */
    @Test
    void aNoteIsLeftWhenItsTimeIsOverWhereNoClaimEndsByItself() {
        String note = NameRules.hidden("x", "forced");
        b.line().expiry = false;
        held(a.lock("x").acquireAsync());
        b.client().admin().forceRelease("x");
        world.pass(Duration.ofSeconds(29));
        assertThat(b.leaves(note)).isZero();
        b.line().line = FaultyStore.Line.REFUSED;
        world.pass(Duration.ofMillis(1_900));
        assertThat(b.leaves(note)).isOne();
        b.line().up();
        world.pass(Duration.ofMinutes(2));
        assertThat(b.leaves(note)).as("and once more, as the first got lost").isEqualTo(2);
    }

    @Test
    void lossesSayWhyAsAValue() {
        Lease expired = held(a.lock("expired").acquireAsync());
        Lease limited = held(a.lock("limited", LockOptions.defaults().withMaxHold(Duration.ofSeconds(9)))
                .acquireAsync());
        world.pass(Duration.ofSeconds(10));
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofSeconds(31));
        assertThat(events.lost)
                .extracting(LeaseLostException::token, LeaseLostException::reason)
                .containsExactly(
                        tuple(limited.token(), Optional.of(LossReason.MAX_HOLD)),
                        tuple(expired.token(), Optional.of(LossReason.EXPIRED)));
        a.line().up();
        Lease closed = held(b.lock("closed").acquireAsync());
        b.client().close();
        assertThatThrownBy(closed::ensureHeld)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        loss -> assertThat(loss.reason()).contains(LossReason.CLOSED));
    }

    @Test
    void anOutageEndsWithAnAnsweredLookToo() {
        held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.REFUSED;
        world.pass(TestWorld.LEASE.multipliedBy(3));
        a.line().up();
        assertThat(a.client().admin().health().answering())
                .as("the premise: nothing is sent any more")
                .isFalse();
        a.client().admin().inspect("x");
        assertThat(a.client().admin().health().answering()).isTrue();
        assertThat(events.others).hasSize(2).last().asString().startsWith("back after ");
    }

    /** Else a client that is asked for nothing, as it does not answer, would never answer again. */
    @Test
    void anOutageEndsThoughNothingIsWanted() {
        held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.REFUSED;
        world.pass(TestWorld.LEASE.multipliedBy(3));
        assertThat(a.client().admin().health().answering()).isFalse();
        a.line().up();
        world.pass(Duration.ofSeconds(15)); // as from one scrape to the next
        assertThat(a.client().admin().health().answering())
                .as("this look learns it")
                .isFalse();
        assertThat(a.client().admin().health().answering()).isTrue();
        assertThat(events.others).hasSize(2).last().asString().startsWith("back after ");
        long looks =
                a.client().admin().statistics().requests().get(RequestKind.LOOK).answered();
        world.pass(Duration.ofHours(1));
        a.client().admin().health();
        assertThat(a.client()
                        .admin()
                        .statistics()
                        .requests()
                        .get(RequestKind.LOOK)
                        .answered())
                .as("all is well, and nothing is asked any more")
                .isEqualTo(looks);
    }

    @Test
    void anOutageBeginsWithALookThatFailsTooAndEndsWithAnyAnswer() {
        for (FaultyStore.Line line : List.of(FaultyStore.Line.REFUSED, FaultyStore.Line.SILENT)) {
            events.others.clear();
            a.line().line = line;
            assertThatThrownBy(() -> a.client().admin().inspect("x")).isInstanceOf(StoreUnavailableException.class);
            assertThat(a.client().admin().health().answering()).isFalse();
            a.line().up();
            a.client().countDownLatch("l").trySetCount(1);
            assertThat(a.client().admin().health().answering()).isTrue();
            assertThat(events.others).hasSize(2).first().isEqualTo("away");
            world.pass(Duration.ofSeconds(11)); // for which a line is told once
        }
    }

    @Test
    void anOutageIsToldOnceAndItsEndToo() {
        held(a.lock("x").acquireAsync());
        assertThat(a.client().admin().health().answering()).isTrue();
        world.pass(Duration.ofSeconds(9));
        a.line().line = FaultyStore.Line.REFUSED;
        world.pass(Duration.ofSeconds(6));
        assertThat(events.others).containsExactly("away");
        assertThat(a.client().admin().health().answering()).isFalse();
        assertThat(a.client().admin().health().failing()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6));
        assertThat(a.client().admin().health().failure())
                .hasValueSatisfying(why -> assertThat(why).contains("refused by the test"));
        a.line().up();
        world.pass(Duration.ofSeconds(6));
        assertThat(events.others).hasSize(2).last().asString().startsWith("back after ");
        assertThat(a.client().admin().health())
                .isEqualTo(new Shown.Health(true, Duration.ZERO, Optional.empty(), Optional.empty()));
        assertThat(a.client().admin().statistics().outages()).isEqualTo(1);
        assertThat(a.client()
                        .admin()
                        .statistics()
                        .requests()
                        .get(RequestKind.KEEP)
                        .failed())
                .isPositive();
    }

    @Test
    void aStoreThatAnswersSlowlyIsTold() {
        held(a.lock("first").acquireAsync()).release();
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Lease> slow = a.lock("x").acquireAsync();
        world.pass(Duration.ofMillis(1_500));
        a.line().up();
        held(slow);
        assertThat(events.others).containsExactly("slow TAKE PT1.5S");
        assertThat(a.client().admin().health().answering()).isTrue();
        assertThat(a.client().admin().health().lastSlow()).hasValueSatisfying(last -> {
            assertThat(last.kind()).isEqualTo(RequestKind.TAKE);
            assertThat(last.took()).isEqualTo(Duration.ofMillis(1_500));
        });
        Statistics.Requests taken = a.client().admin().statistics().requests().get(RequestKind.TAKE);
        assertThat(taken).isEqualTo(new Shown.Requests(2, Duration.ofMillis(1_500), 0));
    }

    @Test
    void aConnectionsFirstAnswerMayTakeLong() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Lease> first = a.lock("x").acquireAsync();
        world.pass(Duration.ofMillis(1_500));
        a.line().up();
        held(first);
        assertThat(events.others).isEmpty();
        assertThat(a.client().admin().health().lastSlow()).isEmpty();
    }

    @Test
    void listenersAreToldOnTheCallbackExecutor() {
        List<Runnable> callbacks = new ArrayList<>();
        Node c = world.client(BelayOptions.defaults().withListener(events).withCallbackExecutor(callbacks::add));
        c.client().semaphore("s", 5).permits(1).acquireAsync();
        c.client().semaphore("s", 6).permits(1).acquireAsync();
        assertThat(events.others).isEmpty();
        List.copyOf(callbacks).forEach(Runnable::run);
        assertThat(events.others).containsExactly("refused s");
    }

    /** For whoever has no listener. */
    @Test
    void whatIsToldIsALineInTheLogToo() {
        assertThat(Logged.during("has been held for", this::aLongHoldIsToldOnce))
                .singleElement()
                .asString()
                .contains("WARN io.belay.lease");
        assertThat(Logged.during("by force", new SightTest()::whoeverLosesALockByForceIsToldByWhom))
                .singleElement()
                .asString()
                .contains("WARN io.belay.lease");
        assertThat(Logged.during("A request for 's'", new SightTest()::aRefusalIsTold))
                .hasSize(1);
        assertThat(Logged.during("The store took 1500 ms", new SightTest()::aStoreThatAnswersSlowlyIsTold))
                .hasSize(1);
        assertThat(Logged.during("The store fails", new SightTest()::anOutageIsToldOnceAndItsEndToo))
                .hasSize(1);
    }

    @Test
    void aRefusalIsTold() {
        held(a.client().semaphore("s", 5).permits(1).acquireAsync());
        assertThat(b.client().semaphore("s", 6).permits(1).acquireAsync()).isCompletedExceptionally();
        assertThat(events.others).containsExactly("refused s");
    }

    @Test
    void whoStandsByAsTheNextLeaderOrWaitsAtALatchIsNotSlow() {
        held(a.client().election("e").campaignAsync());
        assertThat(a.client().countDownLatch("l").trySetCount(1)).isTrue();
        CompletableFuture<Lease> next = b.client().election("e").campaignAsync();
        CompletableFuture<Void> passes = b.client().countDownLatch("l").awaitAsync();
        world.pass(Duration.ofMinutes(11));
        assertThat(next).isNotDone();
        assertThat(passes).isNotDone();
        assertThat(events.slow).isEmpty();
        LockStatistics.Now family =
                b.client().admin().statistics().locks().get("e").now();
        assertThat(family.waiting()).isEqualTo(1);
        assertThat(family.longestWait()).isZero();
        a.client().countDownLatch("l").countDown();
        assertThat(passes).isCompleted();
    }
}
