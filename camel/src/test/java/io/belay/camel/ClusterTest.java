package io.belay.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ForwardingLease;
import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Pace;
import io.belay.servers.Proof;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two contexts of Camel, of which one leads at a time, and what their listeners are told. */
@Tag("single")
class ClusterTest {
    /** Longer than the name of a thread that a store keeps. */
    private static final String ORDERS = "com.acme.fulfilment.orders-of-the-warehouse-at-the-harbour";

    private static final int TERMS = Proof.times(5, 30);

    private final String store = "memory:" + UUID.randomUUID();

    /** A context with a cluster of its own client. */
    private final class Node implements AutoCloseable {
        final Belay belay;
        final DefaultCamelContext context = new DefaultCamelContext();
        final BelayClusterService service;
        /** What the listener was told, in its order: that this one leads, or another one, or nobody. */
        final List<String> told = new CopyOnWriteArrayList<>();

        final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        final CamelClusterView view;

        Node() throws Exception {
            this(BelayOptions.defaults());
        }

        Node(BelayOptions options) throws Exception {
            belay = Belay.connect(store, options);
            service = new BelayClusterService(belay);
            context.addService(service);
            view = service.getView(ORDERS); // started with the context
            view.addEventListener((CamelClusterEventListener.Leadership) (changed, leader) -> {
                threads.add(Thread.currentThread());
                told.add(leader == null ? "nobody" : leader.isLocal() ? "this" : "another");
            });
            context.start();
        }

        void awaitTold(String... words) {
            await().untilAsserted(() -> assertThat(told).containsExactly(words));
        }

        @Override
        public void close() {
            context.stop();
            belay.close();
        }
    }

    @Test
    void oneLeadsAndTheOtherFollowsWhenItStops() throws Exception {
        try (Node first = new Node()) {
            first.awaitTold("this");
            try (Node second = new Node()) {
                second.awaitTold("another");
                assertThat(second.service.isLeader(ORDERS)).isFalse();
                assertThat(second.view.getLeader().orElseThrow().isLeader()).isTrue();
                assertThat(second.view.getMembers()).hasSize(2);
                assertThat(first.view.getMembers()).hasSize(1);
                first.close();
                first.awaitTold("this", "nobody");
                await().until(() -> second.service.isLeader(ORDERS) && second.told.contains("this"));
                assertThat(second.told).startsWith("another").endsWith("this").hasSizeBetween(2, 3);
                assertThat(second.threads).hasSize(1);
            }
        }
    }

    /** Each change once, and never this one as another: it campaigns again and again, and its own pushes are told to it, too. */
    @Test
    void aLeaderThatIsDeposedIsToldAndCampaignsAgain() throws Exception {
        try (Node only = new Node();
                Belay admin = Belay.connect(store)) {
            for (int term = 1; term <= TERMS; term++) {
                int ofTerm = term;
                await().until(() -> only.told.size() == 2 * ofTerm - 1 && only.service.isLeader(ORDERS));
                assertThat(admin.admin().forceRelease(ORDERS)).isTrue();
                await().until(() -> only.told.size() >= 2 * ofTerm);
            }
            await().until(() -> only.told.size() == 2 * TERMS + 1);
            only.close();
            assertThat(only.told).hasSize(2 * TERMS + 2).doesNotContain("another");
            for (int i = 0; i < only.told.size(); i++) {
                assertThat(only.told.get(i)).isEqualTo(i % 2 == 0 ? "this" : "nobody");
            }
        }
    }

    /** As for want of memory, or of what the store cannot do. */
    @Test
    void aCampaignThatCannotBeginIsFollowedByAnother() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        try (Belay belay = Belay.connect(store)) {
            LeaderElection real = belay.election(ORDERS);
            LeaderElection failing = (LeaderElection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {LeaderElection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("campaignAsync") && failures.getAndDecrement() > 0) {
                            throw new OutOfMemoryError("a test's");
                        }
                        return method.invoke(real, arguments);
                    });
            ElectionView view = new ElectionView(new BelayClusterService(belay), ORDERS, failing);
            view.start();
            await().until(() -> view.getLocalMember().isLeader());
            failures.set(2); // the second by the thread that begins the next campaign
            assertThat(belay.admin().forceRelease(ORDERS)).isTrue();
            await().until(() -> failures.get() <= 0 && view.getLocalMember().isLeader());
            view.stop();
        }
    }

    @Test
    void aViewThatIsStoppedCampaignsWhenItIsStartedAgain() throws Exception {
        try (Node only = new Node()) {
            only.awaitTold("this");
            only.service.stopView(ORDERS);
            assertThat(only.told).containsExactly("this", "nobody");
            assertThat(only.belay.admin().inspect(ORDERS).claims()).isEmpty();
            only.service.startView(ORDERS);
            only.awaitTold("this", "nobody", "this");
        }
    }

    @Test
    void aViewThatIsStartedWhileTheClientIsPausedCampaignsOnceThatIsResumed() throws Exception {
        try (Node only = new Node()) {
            only.awaitTold("this");
            only.service.stopView(ORDERS);
            only.belay.pause(Duration.ZERO);
            PrintStream before = System.err;
            ByteArrayOutputStream log = new ByteArrayOutputStream();
            System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
            try {
                only.service.startView(ORDERS);
                await().until(() -> log.toString(StandardCharsets.UTF_8).contains("The campaign for '" + ORDERS));
            } finally {
                System.setErr(before);
            }
            only.belay.resume();
            only.awaitTold("this", "nobody", "this");
            try (Node second = new Node()) {
                second.awaitTold("another");
                assertThat(second.belay.admin().forceRelease(ORDERS)).isTrue();
                // The first one observes, too.
                await().until(() -> only.told.contains("another"));
            }
        }
    }

    /** Camel locks the service while it stops a view, and while somebody asks it. */
    @Tag("long")
    @Test
    void aListenerMayAskItsServiceWhileTheViewIsStopped() throws Exception {
        try (Node only = new Node()) {
            only.awaitTold("this");
            CompletableFuture<Boolean> asked = new CompletableFuture<>();
            only.view.addEventListener((CamelClusterEventListener.Leadership) (changed, leader) -> {
                if (leader == null) {
                    asked.complete(only.service.isLeader(ORDERS));
                }
            });
            assertTimeoutPreemptively(Pace.patience(), () -> only.service.stopView(ORDERS));
            assertThat(asked.get(Pace.seconds(), TimeUnit.SECONDS)).isFalse();
            await().until(() -> only.belay.admin().inspect(ORDERS).claims().isEmpty());
        }
    }

    /** Camel's own list ends at one that throws. */
    @Test
    void oneThatThrowsKeepsNoOtherFromBeingTold() throws Exception {
        try (Node only = new Node()) {
            only.awaitTold("this");
            List<String> behind = new CopyOnWriteArrayList<>();
            only.view.addEventListener((CamelClusterEventListener.Leadership) (changed, leader) -> {
                if (leader == null) {
                    throw new AssertionError("by the test");
                }
            });
            CamelClusterEventListener.Leadership last =
                    (changed, leader) -> behind.add(leader == null ? "nobody" : "somebody");
            only.view.addEventListener(last);
            await().until(() -> behind.equals(List.of("somebody")));
            assertThat(only.belay.admin().forceRelease(ORDERS)).isTrue();
            await().until(() -> behind.equals(List.of("somebody", "nobody", "somebody")));
            only.service.stopView(ORDERS);
            assertThat(behind).containsExactly("somebody", "nobody", "somebody", "nobody");
            only.view.removeEventListener(last);
            only.service.startView(ORDERS);
            only.awaitTold("this", "nobody", "this", "nobody", "this");
            assertThat(behind).hasSize(4);
        }
    }

    /** A lease that is unsure for as long as the test says, as after a suspension of the machine. */
    private static final class Unsure extends ForwardingLease {
        volatile boolean sure;
        volatile boolean asked;

        Unsure(Lease lease) {
            super(lease);
        }

        @Override
        public boolean isHeld() {
            boolean held = sure && super.isHeld();
            asked = true;
            return held;
        }
    }

    @Test
    void aLeadThatWasUnsureAsItWasToBeToldIsToldLater() throws Exception {
        try (Belay belay = Belay.connect(store)) {
            LeaderElection real = belay.election(ORDERS);
            CompletableFuture<Unsure> lead = new CompletableFuture<>();
            LeaderElection election = (LeaderElection) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {LeaderElection.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "campaignAsync" ->
                            real.campaignAsync().thenApply(lease -> {
                                lead.complete(new Unsure(lease));
                                return lead.join();
                            });
                        case "observe" -> (LeaderElection.Observation) () -> {}; // tells nothing that would help
                        default -> method.invoke(real, arguments);
                    });
            ElectionView view = new ElectionView(new BelayClusterService(belay), ORDERS, election);
            List<String> first = new CopyOnWriteArrayList<>();
            List<String> second = new CopyOnWriteArrayList<>();
            view.addEventListener((CamelClusterEventListener.Leadership)
                    (changed, leader) -> first.add(leader == null ? "nobody" : "this"));
            view.start();
            Unsure lease = lead.get(Pace.seconds(), TimeUnit.SECONDS);
            await().until(() -> lease.asked); // and so was not told
            lease.sure = true;
            await().until(() -> first.equals(List.of("this")));

            lease.sure = false;
            lease.asked = false;
            view.addEventListener((CamelClusterEventListener.Leadership)
                    (changed, leader) -> second.add(leader == null ? "nobody" : "this"));
            await().until(() -> lease.asked);
            assertThat(second).isEmpty();
            lease.sure = true;
            await().until(() -> second.contains("this"));

            lease.sure = false;
            view.addEventListener((CamelClusterEventListener.Leadership) (changed, leader) -> {});
            view.stop();
            assertThat(first).as("each change once").containsExactly("this", "nobody");
            assertThat(second).containsExactly("this", "nobody");
        }
    }

    @Test
    void theClientsOptionsHoldWhereNoneAreGiven() throws Exception {
        LockOptions patient = LockOptions.defaults().withLease(Duration.ofMinutes(3));
        try (Node only = new Node(BelayOptions.defaults().withLockDefaults(patient))) {
            only.awaitTold("this");
            assertThat(only.belay.admin().inspect(ORDERS).claims().get(0).remaining())
                    .isGreaterThan(Duration.ofMinutes(1));
        }
    }
}
