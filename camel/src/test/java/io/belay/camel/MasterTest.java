package io.belay.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.master.MasterComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Camel's master component runs a route on the member that leads, and on no other. */
@Tag("single")
@Tag("long")
class MasterTest {
    private final String store = "memory:" + UUID.randomUUID();

    /** A context with a route that counts. */
    private final class Node implements AutoCloseable {
        final Belay belay = Belay.connect(store);
        final DefaultCamelContext context = new DefaultCamelContext();
        final BelayClusterService service = new BelayClusterService(belay);
        final AtomicInteger runs = new AtomicInteger();

        Node() throws Exception {
            this(new MasterComponent());
        }

        Node(MasterComponent master) throws Exception {
            context.addService(service);
            context.addComponent("master", master);
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("master:orders:timer:tick?delay=0&period=10").process(exchange -> runs.incrementAndGet());
                }
            });
            context.start();
        }

        /** Waits until the route has run so many times more. */
        void awaitRuns(int more) {
            int before = runs.get();
            await().until(() -> runs.get() >= before + more);
        }

        void awaitCandidates(int all) {
            await().until(() -> belay.admin().inspect("orders").claims().size() == all);
        }

        @Override
        public void close() {
            context.stop();
            belay.close();
        }
    }

    @Test
    void aRouteRunsOnOneMemberAndOnTheNextWhenThatStops() throws Exception {
        try (Node first = new Node()) {
            first.awaitRuns(3);
            try (Node second = new Node()) {
                first.awaitRuns(10);
                assertThat(second.runs).hasValue(0);
                first.close();
                int atTheEnd = first.runs.get();
                second.awaitRuns(10);
                assertThat(first.runs).hasValue(atTheEnd);
            }
        }
    }

    @Test
    void aRouteEndsWhereTheLeadIsLostAndBeginsAgain() throws Exception {
        try (Node first = new Node()) {
            first.awaitRuns(3);
            try (Node second = new Node()) {
                second.awaitCandidates(2);
                assertThat(second.belay.admin().forceRelease("orders")).isTrue();
                second.awaitRuns(3);
                await().until(() -> {
                    int before = first.runs.get();
                    second.awaitRuns(10);
                    return first.runs.get() == before; // once it was told
                });
            }
            first.awaitRuns(3);
        }
    }

    /** A Camel without CAMEL-24583 begins a route again after that, for up to five seconds, whatever comes meanwhile. */
    @Test
    void aRouteThatBeginsAfterTheLossEndsSoonEachTime() throws Exception {
        MasterComponent often = new MasterComponent();
        often.setBackOffDelay(500);
        try (Node first = new Node(often)) {
            first.awaitRuns(3);
            try (Node second = new Node()) {
                second.awaitCandidates(2);
                assertThat(second.belay.admin().forceRelease("orders")).isTrue();
                second.awaitRuns(3);
                long lost = System.nanoTime();
                long stoodStill = lost;
                while (System.nanoTime() - lost < TimeUnit.SECONDS.toNanos(18)) {
                    int before = first.runs.get();
                    second.awaitRuns(20);
                    stoodStill = first.runs.get() == before ? System.nanoTime() : stoodStill;
                    assertThat(Duration.ofNanos(System.nanoTime() - stoodStill))
                            .as("the time for which both have run, and some for a busy machine")
                            .isLessThan(Duration.ofSeconds(9));
                }
            }
        }
    }

    /** A Camel without CAMEL-24583 begins a route a second after the lead, whatever comes meanwhile. */
    @Test
    void aRouteEndsAlsoWhereTheLeadWasLostBeforeItBegan() throws Exception {
        try (Belay before = Belay.connect(store)) {
            Lease lead = before.election("orders").campaign();
            try (Node first = new Node()) {
                first.awaitCandidates(2);
                try (Node second = new Node()) {
                    first.awaitCandidates(3);
                    lead.release();
                    await().until(() -> first.service.isLeader("orders"));
                    assertThat(before.admin().forceRelease("orders")).isTrue();
                    second.awaitRuns(3);
                    await().until(() -> {
                        int runs = first.runs.get();
                        second.awaitRuns(10);
                        return first.runs.get() == runs;
                    });
                }
            }
        }
    }
}
