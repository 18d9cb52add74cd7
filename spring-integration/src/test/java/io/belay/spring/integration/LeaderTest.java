package io.belay.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.LeaderElection;
import io.belay.LockOptions;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.Stalls;
import java.io.File;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;

/** Two nodes that campaign for one role: who leads, who is told, and in which order. */
class LeaderTest {
    private static final String ROLE = "reporter";

    private final Belay belay = Belay.connect("memory:leader");
    private final Belay elsewhere = Belay.connect("memory:leader");
    /** All that anybody was told, in its order. */
    private final List<String> told = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        belay.close();
        elsewhere.close();
    }

    /** A candidate that notes what it is told, and whether it leads at that moment. */
    private class Node extends DefaultCandidate {
        volatile LeaderTerm term;

        Node(String id) {
            super(id, ROLE);
        }

        @Override
        public void onGranted(Context context) {
            super.onGranted(context);
            term = (LeaderTerm) context;
            told.add(getId() + (context.isLeader() ? " leads" : " leads no more"));
        }

        @Override
        public void onRevoked(Context context) {
            told.add(getId() + (context.isLeader() ? " is revoked and leads" : " is revoked"));
        }
    }

    private void awaitTold(String... words) {
        await().untilAsserted(() -> assertThat(told).containsExactly(words));
    }

    @Test
    void theClientsOptionsHoldWhereNoneAreGiven() {
        LockOptions options = LockOptions.defaults().withLease(Duration.ofMinutes(3));
        try (Belay patient =
                Belay.connect("memory:leader", BelayOptions.defaults().withLockDefaults(options))) {
            BelayLeaderInitiator initiator = new BelayLeaderInitiator(patient, new Node("one"));
            initiator.start();
            awaitTold("one leads");
            assertThat(belay.admin().inspect(ROLE).claims().get(0).remaining()).isGreaterThan(Duration.ofMinutes(1));
            initiator.stop();
        }
    }

    @Test
    void oneLeadsAndHandsOverWhenItStops() {
        Node one = new Node("one");
        Node two = new Node("two");
        BelayLeaderInitiator first = new BelayLeaderInitiator(belay, one);
        BelayLeaderInitiator second = new BelayLeaderInitiator(elsewhere, two);
        first.start();
        awaitTold("one leads");
        second.start();
        first.stop();
        assertThat(told).startsWith("one leads", "one is revoked");
        awaitTold("one leads", "one is revoked", "two leads");
        assertThat(two.term.token()).isGreaterThan(one.term.token());
        assertThat(first.isRunning()).isFalse();
        assertThat(first.getTerm()).isEmpty();
        assertThat(second.getTerm()).contains(two.term);
        second.stop();
        first.start();
        awaitTold("one leads", "one is revoked", "two leads", "two is revoked", "one leads");
        first.stop();
        assertThat(belay.election(ROLE).leader()).isEmpty();
    }

    @Test
    void whoYieldsLeadsAgainAfterTheOthers() {
        Node one = new Node("one");
        Node two = new Node("two");
        BelayLeaderInitiator first = new BelayLeaderInitiator(belay, one);
        BelayLeaderInitiator second = new BelayLeaderInitiator(elsewhere, two);
        first.start();
        awaitTold("one leads");
        second.start();
        await().until(() -> belay.admin().inspect(ROLE).claims().size() == 2);
        one.yieldLeadership();
        awaitTold("one leads", "one is revoked", "two leads");
        await().until(() -> belay.admin().inspect(ROLE).claims().size() == 2);
        LeaderTerm over = one.term;
        two.yieldLeadership();
        over.yield(); // and not the candidate, which may lead again by now
        awaitTold("one leads", "one is revoked", "two leads", "two is revoked", "one leads");
        first.stop();
        second.stop();
    }

    @Test
    void whoLosesTheLeadByForceIsRevokedAndCampaignsAgain() {
        BelayLeaderInitiator initiator = new BelayLeaderInitiator(belay, new Node("one"));
        initiator.start();
        awaitTold("one leads");
        elsewhere.admin().forceRelease(ROLE);
        awaitTold("one leads", "one is revoked", "one leads");
        initiator.stop();
    }

    /** As for want of memory, or of what the store cannot do. */
    @Test
    void aCampaignThatCannotBeginIsFollowedByAnother() {
        AtomicInteger failures = new AtomicInteger();
        Belay failing = proxy(Belay.class, (proxy, method, arguments) -> {
            Object its = method.invoke(belay, arguments);
            return !(its instanceof LeaderElection election)
                    ? its
                    : proxy(LeaderElection.class, (same, called, with) -> {
                        if (called.getName().equals("campaignAsync") && failures.getAndDecrement() > 0) {
                            throw new OutOfMemoryError("a test's");
                        }
                        return called.invoke(election, with);
                    });
        });
        BelayLeaderInitiator initiator = new BelayLeaderInitiator(failing, new Node("one"));
        initiator.start();
        awaitTold("one leads");
        failures.set(2); // the second by the thread that begins the next campaign
        elsewhere.admin().forceRelease(ROLE);
        awaitTold("one leads", "one is revoked", "one leads");
        assertThat(failures.get()).isNotPositive();
        initiator.stop();
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void aClosedClientEndsTheTermAndTheCampaign() {
        BelayLeaderInitiator initiator = new BelayLeaderInitiator(belay, new Node("one"));
        initiator.start();
        awaitTold("one leads");
        belay.close();
        awaitTold("one leads", "one is revoked");
        await().until(() -> !initiator.isRunning());
        initiator.stop();
    }

    /** The store is gone for good: nobody but the clock can tell. */
    @Tag("drivers")
    @Test
    void theLeaderIsRevokedAtTheDeadlineWhenTheStoreIsGone() throws Exception {
        Premise.withLease(Duration.ofSeconds(2), lease -> {
            told.clear();
            try (RedisServer redis = RedisServer.start(RedisServer.Version.V7_0);
                    Belay client = Belay.connect(redis.url())) {
                LockOptions options = LockOptions.defaults().withLease(lease);
                BelayLeaderInitiator initiator = new BelayLeaderInitiator(client, new Node("one"), options);
                initiator.start();
                try {
                    await().until(() -> !told.isEmpty());
                    redis.kill();
                    Premise.check(told.equals(List.of("one leads")), "the lead lasts until the store is gone");
                    try (Stalls stalls = Stalls.watch()) {
                        awaitTold("one leads", "one is revoked");
                        Duration atMost = lease.plusMillis(500);
                        stalls.inTime(stalls.taken().compareTo(atMost) < 0, "revoked at the deadline");
                    }
                    assertThat(redis.isAlive()).isFalse();
                    redis.startAgain();
                    await().untilAsserted(
                                    () -> assertThat(told).startsWith("one leads", "one is revoked", "one leads"));
                } finally {
                    initiator.stop();
                }
            }
        });
    }

    @Test
    void aCandidateThatBlocksIsInterruptedAtTheEndOfItsTerm() {
        AtomicInteger interrupted = new AtomicInteger();
        BelayLeaderInitiator initiator = new BelayLeaderInitiator(belay, new DefaultCandidate("one", ROLE) {
            @Override
            public void onGranted(Context context) {
                told.add("leads");
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                }
            }
        });
        initiator.start();
        awaitTold("leads");
        initiator.stop();
        assertThat(interrupted).hasValue(1);
        assertThat(belay.election(ROLE).leader()).isEmpty();
    }

    @Test
    void aCandidateThatFailsStepsBackAndIsGrantedAgain() {
        BelayLeaderInitiator failing = new BelayLeaderInitiator(belay, new Node("one") {
            @Override
            public void onGranted(Context context) {
                super.onGranted(context);
                if (told.size() == 1) {
                    throw new IllegalStateException("thrown by the test");
                } else if (told.size() == 3) {
                    throw new AssertionError("thrown by the test, and no exception");
                }
            }
        });
        failing.start();
        awaitTold("one leads", "one is revoked", "one leads", "one is revoked", "one leads");
        failing.stop();
    }

    @Test
    void aCandidateThatFailsToEndItsLeadGivesItBackAllTheSame() {
        BelayLeaderInitiator failing = new BelayLeaderInitiator(belay, new Node("one") {
            @Override
            public void onRevoked(Context context) {
                super.onRevoked(context);
                throw new AssertionError("thrown by the test, and no exception");
            }
        });
        failing.start();
        awaitTold("one leads");
        elsewhere.admin().forceRelease(ROLE);
        awaitTold("one leads", "one is revoked", "one leads");
        failing.stop();
        assertThat(belay.election(ROLE).leader()).isEmpty();
    }

    @Test
    void aClientThatIsPausedEndsTheTermAndNotTheCampaigns() throws Exception {
        BelayLeaderInitiator initiator = new BelayLeaderInitiator(belay, new Node("one"));
        initiator.start();
        awaitTold("one leads");
        belay.pause(Duration.ofMillis(100));
        awaitTold("one leads", "one is revoked");
        belay.resume();
        awaitTold("one leads", "one is revoked", "one leads");
        assertThat(initiator.isRunning()).isTrue();
        initiator.stop();
    }

    @Test
    void anEndWithinTheAnnouncementDoesNotWaitForItself() {
        BelayLeaderInitiator[] initiator = new BelayLeaderInitiator[1];
        initiator[0] = new BelayLeaderInitiator(belay, new Node("one") {
            @Override
            public void onGranted(Context context) {
                super.onGranted(context);
                initiator[0].stop();
            }
        });
        initiator[0].start();
        awaitTold("one leads", "one is revoked");
        initiator[0].stop();
        assertThat(belay.election(ROLE).leader()).isEmpty();
    }

    /** A context that is closed in there would wait for its phase's timeout. */
    @Test
    void anEndWithinTheAnnouncementIsCalledBackAtOnce() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        BelayLeaderInitiator[] initiator = new BelayLeaderInitiator[1];
        initiator[0] = new BelayLeaderInitiator(belay, new Node("one") {
            @Override
            public void onGranted(Context context) {
                super.onGranted(context);
                initiator[0].stop(called::countDown);
                told.add("called back: " + called.getCount());
            }
        });
        initiator[0].start();
        awaitTold("one leads", "called back: 0", "one is revoked");
    }

    /** As {@code LockRegistryLeaderInitiator} has it. */
    @Test
    void aCandidateThatEndsItsTermAndBlocksIsInterrupted() {
        BelayLeaderInitiator[] initiator = new BelayLeaderInitiator[1];
        initiator[0] = new BelayLeaderInitiator(belay, new Node("one") {
            @Override
            public void onGranted(Context context) {
                super.onGranted(context);
                if (told.size() == 1) {
                    context.yield();
                } else {
                    initiator[0].stop();
                }
                awaitInterrupt();
                told.add("interrupted");
            }
        });
        initiator[0].start();
        awaitTold("one leads", "interrupted", "one is revoked", "one leads", "interrupted", "one is revoked");
        initiator[0].stop();
        assertThat(belay.election(ROLE).leader()).isEmpty();
    }

    /** Its context is to close undisturbed; who stops it from outside waits for it. */
    @Test
    void aCandidateThatBlocksAfterItsContextHasStoppedItIsInterruptedByTheNextStop() throws Exception {
        BelayLeaderInitiator[] initiator = new BelayLeaderInitiator[1];
        initiator[0] = new BelayLeaderInitiator(belay, new Node("one") {
            @Override
            public void onGranted(Context context) {
                super.onGranted(context);
                initiator[0].stop(() -> told.add("called back"));
                initiator[0].destroy();
                told.add("interrupted: " + Thread.currentThread().isInterrupted());
                awaitInterrupt();
            }
        });
        initiator[0].start();
        awaitTold("one leads", "called back", "interrupted: false");
        CompletableFuture.runAsync(initiator[0]::stop).get(Pace.seconds(), TimeUnit.SECONDS);
        assertThat(told).endsWith("one is revoked");
        assertThat(belay.election(ROLE).leader()).isEmpty();
    }

    /** The next one would lead beside it. */
    @Test
    void anEndWaitsForACandidateThatIsStillBeingRevoked() throws Exception {
        CountDownLatch returns = new CountDownLatch(1);
        BelayLeaderInitiator initiator = new BelayLeaderInitiator(belay, new Node("one") {
            @Override
            public void onRevoked(Context context) {
                super.onRevoked(context);
                try {
                    returns.await();
                } catch (InterruptedException e) {
                    told.add("interrupted");
                }
            }
        });
        initiator.start();
        awaitTold("one leads");
        CompletableFuture<Void> end = CompletableFuture.runAsync(initiator::destroy);
        awaitTold("one leads", "one is revoked");
        assertThat(end).isNotDone();
        assertThat(belay.election(ROLE).leader()).isPresent();
        returns.countDown();
        end.get(Pace.seconds(), TimeUnit.SECONDS);
        assertThat(belay.election(ROLE).leader()).isEmpty();
        assertThat(told).containsExactly("one leads", "one is revoked");
    }

    /** Returns an application that does not wait long for that candidate. */
    private static GenericApplicationContext application(DefaultCandidate candidate) {
        Duration brief = Duration.ofMillis(200);
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(Belay.class, () -> Belay.connect("memory:application"));
        context.registerBean(BelayLeaderInitiator.class, () -> {
            Belay client = context.getBean(Belay.class);
            return new BelayLeaderInitiator(client, candidate, client.lockDefaults(), brief);
        });
        context.registerBean(
                AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME, DefaultLifecycleProcessor.class, () -> {
                    DefaultLifecycleProcessor phases = new DefaultLifecycleProcessor();
                    phases.setTimeoutPerShutdownPhase(brief.toMillis());
                    return phases;
                });
        return context;
    }

    /** Whoever closes that waits for the candidate. */
    @Test
    void aCandidateMayWaitForTheEndOfItsContext() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        GenericApplicationContext context = application(new Node("one") {
            @Override
            public void onRevoked(Context term) {
                super.onRevoked(term);
                closed.join();
                told.add("closed");
            }
        });
        context.refresh();
        awaitTold("one leads");
        CompletableFuture<Void> end = CompletableFuture.runAsync(context::close);
        assertThat(end).succeedsWithin(Pace.patience());
        closed.complete(null);
        awaitTold("one leads", "one is revoked", "closed");
    }

    /** Its end waits for the context's, which waits for who is told. */
    @Test
    void aCandidateMayEndTheProcess() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String modules = System.getProperty("jdk.module.path", ""); // where this module itself is
        String path = modules + File.pathSeparator + System.getProperty("java.class.path");
        Process process = new ProcessBuilder(java, "-cp", path, Exiting.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(Exiting.CODE);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A program whose candidate ends it, on another thread, and waits for that. */
    static final class Exiting {
        static final int CODE = 3;

        private Exiting() {}

        public static void main(String[] args) throws InterruptedException {
            GenericApplicationContext context = application(new DefaultCandidate("one", ROLE) {
                @Override
                public void onGranted(Context term) {
                    CompletableFuture.runAsync(() -> System.exit(CODE)).join();
                }
            });
            context.registerShutdownHook();
            context.refresh();
            new CountDownLatch(1).await();
        }
    }

    @Test
    void whatCannotBeToldForWantOfAThreadIsToldOnceThereIsOne() throws InterruptedException {
        AtomicInteger missing = new AtomicInteger(2);
        Announcer announcer = new Announcer(this, new Node("one"), (task, name) -> {
            if (missing.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(task, name);
        });
        announcer.tell(() -> told.add("first"));
        announcer.tell(() -> told.add("second"));
        awaitTold("first", "second");
    }

    /** A bean that notes the events. */
    static final class Events {
        final List<AbstractLeaderEvent> seen = new CopyOnWriteArrayList<>();

        @EventListener
        void changed(AbstractLeaderEvent event) {
            seen.add(event);
        }
    }

    @Test
    void anApplicationPublishesItsEventsFromItsStartToItsEnd() {
        Events events = new Events();
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            AnnotationConfigUtils.registerAnnotationConfigProcessors(context);
            context.registerBean(Events.class, () -> events);
            context.registerBean(
                    BelayLeaderInitiator.class,
                    () -> new BelayLeaderInitiator(belay, new DefaultCandidate("one", ROLE)));
            context.refresh();
            await().until(() -> events.seen.size() == 1);
            assertThat(events.seen.get(0)).isInstanceOf(OnGrantedEvent.class);
            assertThat(events.seen.get(0).getRole()).isEqualTo(ROLE);
            assertThat(Objects.requireNonNull(events.seen.get(0).getContext()).isLeader())
                    .isTrue();
        }
        assertThat(events.seen).hasSize(2);
        assertThat(events.seen.get(1)).isInstanceOf(OnRevokedEvent.class);
        assertThat(elsewhere.election(ROLE).leader()).isEmpty();
    }

    private static void awaitInterrupt() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Publishes nothing, and blocks in each {@code OnGrantedEvent} until it is interrupted. */
    private final class Blocking implements LeaderEventPublisher {
        @Override
        public void publishOnGranted(Object source, Context context, String role) {
            told.add("granted");
            awaitInterrupt();
            told.add("interrupted");
        }

        @Override
        public void publishOnRevoked(Object source, Context context, String role) {
            told.add("revoked");
        }

        @Override
        public void publishOnFailedToAcquire(Object source, Context context, String role) {}
    }

    @Test
    void aListenerThatBlocksIsInterruptedAtTheEndOfTheTerm() {
        Node one = new Node("one");
        BelayLeaderInitiator initiator = new BelayLeaderInitiator(belay, one);
        initiator.setLeaderEventPublisher(new Blocking());
        initiator.start();
        List<String> term = List.of("one leads", "granted", "interrupted", "one is revoked", "revoked");
        List<String> all = new ArrayList<>();
        for (Runnable end : List.<Runnable>of(
                () -> one.term.yield(), () -> elsewhere.admin().forceRelease(ROLE), initiator::stop)) {
            int begun = all.size() + 2;
            await().until(() -> told.size() == begun);
            end.run();
            all.addAll(term);
            await().untilAsserted(() -> assertThat(told).startsWith(all.toArray(String[]::new)));
        }
        assertThat(told).isEqualTo(all);
        assertThat(belay.election(ROLE).leader()).isEmpty();
    }

    @Test
    void aTermThatIsOverWhenItsCandidateReturnsIsNotGranted() {
        BelayLeaderInitiator initiator = new BelayLeaderInitiator(belay, new Node("one") {
            @Override
            public void onGranted(Context context) {
                super.onGranted(context);
                elsewhere.admin().forceRelease(ROLE);
                awaitInterrupt();
            }
        });
        initiator.setLeaderEventPublisher(new Blocking());
        initiator.start();
        await().until(() -> told.contains("revoked"));
        assertThat(told).startsWith("one leads", "one is revoked", "revoked");
        initiator.stop();
        assertThat(told).doesNotContain("granted");
    }

    @Test
    void aRoleThatIsNoNameIsRefusedAtOnce() {
        assertThatThrownBy(() -> new BelayLeaderInitiator(belay, new DefaultCandidate("one", "two\nlines")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
