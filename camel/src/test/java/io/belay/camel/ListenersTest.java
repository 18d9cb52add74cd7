package io.belay.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.Pace;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Listeners as Camel's own are: they come and go under the locks that they wait for when they are told something. */
@Tag("single")
class ListenersTest {
    private final String store = "memory:" + UUID.randomUUID();

    private static CamelClusterEventListener.Leadership noting(List<String> told) {
        return (changed, leader) -> told.add(leader == null ? "nobody" : leader.isLocal() ? "this" : "another");
    }

    @Test
    void oneComesAndGoesWhileAnotherIsBeingTold() throws Exception {
        try (Belay belay = Belay.connect(store);
                DefaultCamelContext context = new DefaultCamelContext()) {
            BelayClusterService service = new BelayClusterService(belay);
            context.addService(service);
            context.start();
            CamelClusterView view = service.getView("orders");
            await().until(() -> service.isLeader("orders"));
            CountDownLatch inTheFirst = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            view.addEventListener((CamelClusterEventListener.Leadership) (changed, leader) -> {
                if (leader == null) {
                    inTheFirst.countDown();
                    awaitLatch(goOn);
                }
            });
            ReentrantLock lock = new ReentrantLock();
            List<String> second = new CopyOnWriteArrayList<>();
            List<String> third = new CopyOnWriteArrayList<>();
            List<String> fourth = new CopyOnWriteArrayList<>();
            CamelClusterEventListener.Leadership locking = (changed, leader) -> {
                lock.lock();
                try {
                    noting(second).leadershipChanged(changed, leader);
                } finally {
                    lock.unlock();
                }
            };
            view.addEventListener(locking);
            view.addEventListener(noting(third));
            await().until(() -> second.equals(List.of("this")) && third.equals(List.of("this")));
            assertThat(belay.admin().forceRelease("orders")).isTrue();
            awaitLatch(inTheFirst);
            try {
                assertTimeoutPreemptively(Pace.patience(), () -> {
                    lock.lock();
                    try {
                        view.removeEventListener(locking);
                        view.addEventListener(noting(fourth));
                    } finally {
                        lock.unlock();
                    }
                });
            } finally {
                goOn.countDown();
            }
            await().until(() -> third.equals(List.of("this", "nobody", "this")) && fourth.contains("this"));
            assertThat(second).as("nothing after it went").containsExactly("this");
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Camel's context is locked while it stops, and a route policy that is told that it leads begins its route in there. */
    @Test
    void aContextThatIsBeingStoppedLeadsNoMore() throws Exception {
        try (Belay other = Belay.connect(store);
                Belay belay = Belay.connect(store)) {
            Lease lead = other.election("orders").campaign();
            CountDownLatch inFlight = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            DefaultCamelContext context = new DefaultCamelContext();
            context.addService(new BelayClusterService(belay));
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() throws Exception {
                    from("timer:once?repeatCount=1&delay=0").process(exchange -> {
                        inFlight.countDown();
                        awaitLatch(goOn);
                    });
                    from("timer:tick?delay=0&period=10")
                            .routePolicy(ClusteredRoutePolicy.forNamespace(context, "orders"))
                            .process(exchange -> {});
                }
            });
            context.start();
            awaitLatch(inFlight);
            await().until(() -> other.admin().inspect("orders").claims().size() == 2);
            CompletableFuture<Void> stopped = new CompletableFuture<>();
            Thread stop = new Thread(() -> {
                context.stop();
                stopped.complete(null);
            });
            stop.setDaemon(true);
            stop.start();
            await().until(context::isStopping);
            lead.release();
            await().until(() -> other.admin().inspect("orders").claims().isEmpty());
            assertThat(stopped).isNotDone();
            goOn.countDown();
            stopped.get(Pace.seconds(), TimeUnit.SECONDS);
        }
    }

    /** Camel may begin a route again and again after the loss. */
    @Tag("long")
    @Test
    void aLossIsToldAgainUntilThisOneLeads() throws Exception {
        try (Belay other = Belay.connect(store);
                Belay belay = Belay.connect(store);
                DefaultCamelContext context = new DefaultCamelContext()) {
            BelayClusterService service = new BelayClusterService(belay);
            context.addService(service);
            context.start();
            List<String> told = new CopyOnWriteArrayList<>();
            service.getView("orders").addEventListener(noting(told));
            await().until(() -> told.equals(List.of("this")));
            CompletableFuture<Lease> next = other.election("orders").campaignAsync();
            await().until(() -> other.admin().inspect("orders").claims().size() == 2);
            assertThat(other.admin().forceRelease("orders")).isTrue();
            Lease lead = next.get(Pace.seconds(), TimeUnit.SECONDS);
            await().until(() -> told.stream().filter("another"::equals).count() == 4);
            lead.release();
            await().until(() -> told.get(told.size() - 1).equals("this"));
        }
    }
}
