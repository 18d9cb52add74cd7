package io.belay.internal;

import static io.belay.internal.TestWorld.LEASE;
import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.LeaderElection.Leader;
import io.belay.LeaderElection.Observation;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.internal.TestWorld.Node;
import io.belay.spi.Request;
import io.belay.support.NameRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who observes an election learns of every change, whatever gets lost, and asks seldom. */
class ElectionTest {
    private static final Duration A_THIRD = LEASE.dividedBy(3);
    private static final Duration SOON = Duration.ofMillis(200);
    private static final String OBSERVERS = NameRules.hidden("e", "observers");

    private final TestWorld world = new TestWorld();
    private final Node a = world.client(BelayOptions.defaults().withRequestTimeout(Duration.ofMillis(50)));
    private final Node b = world.client();
    private final List<Optional<Leader>> told = new ArrayList<>();

    @AfterEach
    void nothingIsLeft() {
        for (Node node : List.of(a, b)) {
            node.line().up();
            node.client().close();
            assertThat(node.size()).isZero();
            assertThat(node.engine().timers.size()).isZero();
        }
        assertThat(world.claims(OBSERVERS)).isEmpty();
    }

    private void observe() {
        b.client().election("e").observe(told::add);
    }

    private Lease lead(Node node) {
        return held(node.client().election("e").campaignAsync());
    }

    /** The token of whoever the observer takes for the leader; 0 for nobody. */
    private long seen() {
        return told.get(told.size() - 1).map(Leader::token).orElse(0L);
    }

    @Test
    void aPushTellsAtOnceAndWhileNothingChangesFewQuestionsAreAsked() {
        observe();
        assertThat(told).containsExactly(Optional.empty());
        Lease term = lead(a);
        assertThat(seen()).isEqualTo(term.token());
        int sent = b.line().sent.size();
        int looks = b.line().looks;
        world.pass(A_THIRD.multipliedBy(30));
        assertThat(told).hasSize(2);
        assertThat(b.line().sent.size() - sent).isBetween(29, 32);
        assertThat(b.line().looks - looks).isBetween(29, 32);
        assertThat(term.isHeld()).isTrue();
        term.release();
        assertThat(told).hasSize(3);
        assertThat(seen()).isZero();
    }

    /** Whose dependents may take all of the term. */
    @Test
    void observersAreToldOfALeaderBeforeItsFutureIs() {
        observe();
        Lease former = lead(a);
        List<Long> seen = new ArrayList<>();
        CompletableFuture<Lease> next = a.client().election("e").campaignAsync().thenApply(term -> {
            seen.add(seen());
            return term;
        });
        former.release();
        Lease term = held(next);
        assertThat(seen).containsExactly(term.token());
        term.release();
    }

    @Test
    void aLeaderWhoseThreadGetsAnotherNameIsNoOtherLeader() {
        observe();
        Lease term = lead(a);
        String name = Thread.currentThread().getName();
        Thread.currentThread().setName("another");
        try {
            world.pass(A_THIRD.multipliedBy(6));
            Optional<Leader> leader = b.client().election("e").leader();
            assertThat(leader.map(Leader::thread)).as("the premise").hasValue("another");
        } finally {
            Thread.currentThread().setName(name);
        }
        assertThat(told).hasSize(2);
        term.release();
    }

    @Test
    void observersAreToldOnTheCallbackExecutor() {
        List<Runnable> callbacks = new ArrayList<>();
        Node c = world.client(BelayOptions.defaults().withCallbackExecutor(callbacks::add));
        c.client().election("e").observe(told::add);
        assertThat(told).isEmpty();
        List.copyOf(callbacks).forEach(Runnable::run);
        assertThat(told).containsExactly(Optional.empty());
        c.client().close();
    }

    @Test
    void whatTheCallbackExecutorHasDroppedIsToldAfterTheNextReading() {
        List<Runnable> callbacks = new ArrayList<>();
        Node c = world.client(BelayOptions.defaults().withCallbackExecutor(callbacks::add));
        c.client().election("e").observe(told::add);
        callbacks.clear();
        world.pass(A_THIRD);
        List.copyOf(callbacks).forEach(Runnable::run);
        assertThat(told).containsExactly(Optional.empty());
        c.client().close();
    }

    /** Two could overtake each other where a client has several connections, and the store a server to each. */
    @Test
    void oneLookIsUnderWayAtATimeAndTheNextFollowsIt() {
        observe();
        List<Supplier<Runnable>> looks = new ArrayList<>();
        b.line().lookSent = looks::add;
        Lease first = lead(a);
        Runnable former = looks.get(0).get();
        first.release();
        Lease second = lead(a);
        assertThat(looks).as("looks under way").hasSize(1);
        former.run();
        assertThat(seen()).isEqualTo(first.token());
        assertThat(looks).hasSize(2);
        looks.get(1).get().run();
        assertThat(seen()).isEqualTo(second.token());
        assertThat(looks).as("nothing has changed since").hasSize(2);
        assertThat(told).hasSize(3);
    }

    @Test
    void aLookThatIsNotAnsweredIsDoneAgainAfterAThirdOfALeaseAndCountsNoMore() {
        observe();
        List<Supplier<Runnable>> looks = new ArrayList<>();
        b.line().lookSent = looks::add;
        Lease first = lead(a);
        Runnable former = looks.get(0).get();
        world.pass(A_THIRD);
        assertThat(looks).hasSize(2);
        first.release();
        looks.get(1).get().run();
        former.run();
        assertThat(told).containsExactly(Optional.empty());
    }

    @Test
    void looksThatTakeLongerThanAThirdOfItsLeaseAreTold() {
        b.line().lookSent = look -> world.at(Duration.ofMillis(400), look.get());
        LockOptions shortLease = LockOptions.defaults().withLease(Duration.ofMillis(900));
        Observation observation = b.client().election("e", shortLease).observe(told::add);
        world.pass(Duration.ofSeconds(1));
        assertThat(told).containsExactly(Optional.empty());
        Lease term = lead(a);
        world.pass(Duration.ofSeconds(1));
        assertThat(seen()).isEqualTo(term.token());
        observation.close();
        b.line().lookSent = null;
        term.release();
        world.pass(Duration.ofSeconds(1)); // the last look
    }

    @Test
    void anObserverWhoseFirstStepFailsObservesAllTheSame() {
        world.failIn("Observer.start", 1);
        observe();
        assertThat(world.claims(OBSERVERS)).as("the premise").isEmpty();
        world.pass(A_THIRD);
        Lease term = lead(a);
        assertThat(seen()).as("told by a push").isEqualTo(term.token());
    }

    /** Who only asks has nothing but its timer. */
    @Test
    void anObserverWhoseTimerFailsObservesAllTheSame() {
        Node c = world.client();
        c.line().sharing = false;
        c.client().election("e").observe(told::add);
        c.line().line = FaultyStore.Line.SILENT; // so that no answer sets the timer
        world.failIn("Observer.fire", 0);
        world.pass(A_THIRD);
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
        c.line().up();
        Lease term = lead(a);
        world.pass(A_THIRD.plus(SOON));
        assertThat(seen()).isEqualTo(term.token());
        c.client().close();
    }

    @Test
    void aClosedObserverThatCannotLeaveAtOnceLeavesLater() {
        Observation observation = b.client().election("e").observe(told::add);
        world.failIn("Observer.close", 0);
        observation.close();
        assertThat(world.claims(OBSERVERS)).as("the premise").hasSize(1);
        world.pass(A_THIRD);
        assertThat(world.claims(OBSERVERS)).isEmpty();
        assertThat(b.engine().timers.size()).isZero();
    }

    /** As on a quorum. */
    @Test
    void whereNoClaimsStandSideBySideTheObserverOnlyAsksAndNothingIsRefused() {
        List<String> refused = new ArrayList<>();
        Node c = world.client(BelayOptions.defaults().withListener(new BelayListener() {
            @Override
            public void refused(String name, String reason) {
                refused.add(reason);
            }
        }));
        c.line().sharing = false;
        Observation observation = c.client().election("e").observe(told::add);
        assertThat(told).containsExactly(Optional.empty());
        Lease term = lead(a);
        world.pass(A_THIRD.plus(SOON));
        assertThat(seen()).isEqualTo(term.token());
        world.pass(LEASE.multipliedBy(10));
        assertThat(refused).isEmpty();
        observation.close();
        c.client().close();
        assertThat(c.engine().timers.size()).isZero();
    }

    @Test
    void aLostPushIsMadeUpForWithinAThirdOfTheLease() {
        observe();
        b.line().pushesLost = true;
        Lease term = lead(a);
        assertThat(seen()).isZero();
        world.pass(A_THIRD.plus(SOON));
        assertThat(seen()).isEqualTo(term.token());
        b.line().pushesLost = false;
        term.release();
        assertThat(seen()).isZero();
    }

    @Test
    void whatWasMissedWhileTheConnectionWasLostIsReadWhenItIsThereAgain() {
        observe();
        b.line().pushesLost = true;
        Lease term = lead(a);
        b.line().pushesLost = false;
        assertThat(seen()).isZero();
        b.engine().reconnected();
        assertThat(seen()).isEqualTo(term.token());
    }

    @Test
    void theEndOfALeaderThatDiedIsNoticedWhenItsLeaseIsOver() {
        Duration brief = Duration.ofSeconds(6);
        Lease term = held(a.client()
                .election("e", LockOptions.defaults().withLease(brief))
                .campaignAsync());
        observe();
        assertThat(seen()).isEqualTo(term.token());
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(brief.minus(SOON));
        assertThat(seen()).isEqualTo(term.token());
        world.pass(SOON.multipliedBy(2));
        assertThat(seen()).isZero();
        assertThat(term.isHeld()).isFalse();
    }

    @Test
    void theSuccessorOfALeaderThatDiedIsToldAndHasAHigherToken() {
        Lease term = lead(a);
        observe();
        CompletableFuture<Lease> next = b.client().election("e").campaignAsync();
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(LEASE.plus(SOON));
        assertThat(held(next).token()).isGreaterThan(term.token());
        assertThat(seen()).isEqualTo(next.join().token());
        world.pass(LEASE);
        assertThat(next.join().isHeld())
                .as("its grant was picked up and renewed")
                .isTrue();
        assertThat(seen()).isEqualTo(next.join().token());
    }

    @Test
    void anObserverThatWasCutOffForLongGoesOn() {
        observe();
        b.line().line = FaultyStore.Line.REFUSED;
        Lease term = lead(a);
        world.pass(LEASE.multipliedBy(2));
        assertThat(seen()).isZero();
        b.line().up();
        world.pass(Duration.ofSeconds(2));
        assertThat(seen()).isEqualTo(term.token());
        term.release();
        assertThat(seen()).as("told by a push again").isZero();
    }

    @Test
    void aLeaderThatIsDeposedByTheEndOfItsTimeTellsThoseWhoObserve() {
        observe();
        Lease term = held(a.client()
                .election("e", LockOptions.defaults().withMaxHold(Duration.ofSeconds(1)))
                .campaignAsync());
        assertThat(seen()).isEqualTo(term.token());
        world.pass(Duration.ofMillis(1_100));
        assertThat(term.isHeld()).isFalse();
        assertThat(seen()).isZero();
    }

    /** Nobody else leads before that time is over. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLeaderThatResignsIsToldAsSuchUntilItsTimeIsOver(boolean byOptions) {
        Duration kept = Duration.ofSeconds(20);
        LockOptions options = LockOptions.defaults();
        observe();
        Lease term = held(a.client()
                .election("e", byOptions ? options.withAtLeast(kept) : options)
                .campaignAsync());
        assertThat(byOptions ? term.release() : term.releaseAfter(kept)).isEqualTo(ReleaseOutcome.RELEASED);
        world.pass(kept.minus(SOON));
        assertThat(seen()).isEqualTo(term.token());
        assertThat(b.client().election("e").leader()).map(Leader::token).hasValue(term.token());
        world.pass(SOON.multipliedBy(2));
        assertThat(told).as("nobody, the term, and nobody").hasSize(3);
        assertThat(seen()).isZero();
        assertThat(b.client().election("e").leader()).isEmpty();
    }

    @Test
    void whoHasTheNameAsSomethingElseAndBesideOthersDoesNotLead() {
        observe();
        for (DistributedLock other : List.of(
                a.client().readWriteLock("e").readLock(),
                a.client().semaphore("e", 2).permits(1))) {
            Lease lease = held(other.acquireAsync());
            world.pass(A_THIRD.multipliedBy(2));
            assertThat(b.client().election("e").leader()).isEmpty();
            lease.release();
        }
        assertThat(told).containsExactly(Optional.empty());
    }

    @Test
    void aListenerIsCalledInOrderNotTwiceAtATimeAndMayFail() {
        AtomicInteger inside = new AtomicInteger();
        List<Long> tokens = new ArrayList<>();
        Lease first = lead(a);
        b.client().election("e").observe(leader -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            tokens.add(leader.map(Leader::token).orElse(0L));
            if (tokens.size() == 1) {
                first.release(); // the observer is told of it while the listener runs
                assertThat(lead(a).release()).isNotNull();
            }
            inside.decrementAndGet();
            if (tokens.size() == 1) {
                throw new IllegalStateException("on purpose");
            }
        });
        Lease last = lead(a);
        assertThat(tokens).startsWith(first.token(), 0L).endsWith(0L, last.token());
    }

    /** As on ZooKeeper, where later announcements would find it in their way, for as long as the client lives. */
    @Test
    void anAnnouncementWithoutAnAnswerIsLeftWhereNoClaimEndsByItself() {
        a.line().expiry = false;
        a.line().unanswered = request -> request.resource().equals(OBSERVERS);
        lead(a);
        assertThat(world.claims(OBSERVERS)).hasSize(1);
        world.pass(Duration.ofMillis(1_500));
        assertThat(a.leaves(OBSERVERS)).isOne();
        a.line().unanswered = request -> false;
        world.pass(Duration.ofSeconds(10));
        assertThat(a.leaves(OBSERVERS))
                .as("and once more, as the first got lost")
                .isEqualTo(2);
    }

    @Test
    void aNamespaceHasItsOwnElections() {
        Lease term = held(a.client().namespace("n").election("e").campaignAsync());
        assertThat(b.client().election("e").leader()).isEmpty();
        assertThat(b.client().election("n:e").leader()).map(Leader::token).hasValue(term.token());
        assertThat(a.client().namespace("n").countDownLatch("l").name()).isEqualTo("n:l");
        term.release();
    }

    @Test
    void whoCancelsItsCampaignIsNoCandidateAnyMore() {
        Lease term = lead(a);
        CompletableFuture<Lease> waiting = b.client().election("e").campaignAsync();
        assertThat(world.claims("e")).hasSize(2);
        waiting.cancel(true);
        assertThat(world.claims("e")).hasSize(1);
        term.release();
        assertThat(world.claims("e")).isEmpty();
    }

    @Test
    void whereNobodyObservesAChangeCostsTwoRequestsMore() {
        lead(a).release();
        assertThat(a.sent(Request.Enter.class)).isEqualTo(3);
        assertThat(a.sent(Request.Leave.class)).isEqualTo(3);
        assertThat(world.claims(OBSERVERS)).isEmpty();
    }

    @Test
    void theEndOfATermIsToldOnceHoweverOftenItIsGivenBack() {
        try (Lease term = lead(a)) {
            term.release();
        }
        assertThat(a.sent(Request.Enter.class))
                .as("the term, its beginning and its end")
                .isEqualTo(3);
        LockOptions brief = LockOptions.defaults().withMaxHold(Duration.ofSeconds(1));
        Lease lost = held(a.client().election("e", brief).campaignAsync());
        world.pass(Duration.ofMillis(1_100));
        assertThat(a.sent(Request.Enter.class)).isEqualTo(6);
        lost.close();
        assertThat(a.sent(Request.Enter.class)).as("its loss was told").isEqualTo(6);
    }

    @Test
    void aClosedClientNeitherObservesNorTells() {
        observe();
        b.client().close();
        lead(a);
        assertThat(told).hasSize(1);
        assertThatThrownBy(this::observe).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> b.client().election("e").leader()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void theEndOfATermThatNobodyTookIsToldAtOnce() {
        List<Runnable> later = new ArrayList<>();
        Node busy = world.client(BelayOptions.defaults().withCallbackExecutor(later::add));
        observe();
        Lease first = lead(a);
        CompletableFuture<Lease> term = busy.client().election("e").campaignAsync();
        first.release();
        long token = seen();
        assertThat(token)
                .as("the premise: the next one leads, and nobody has its lease")
                .isGreaterThan(first.token());
        assertThat(term).isNotDone();
        term.cancel(false);
        assertThat(seen()).isZero();
        busy.client().close();
    }
}
