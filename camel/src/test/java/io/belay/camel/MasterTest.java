package io.belay.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Camel's master component runs a route on the member that leads, and on no other. */
@Tag("long")
class MasterTest {
    private final String store = "memory:" + UUID.randomUUID();

    /** A context with a route that counts. */
    private final class Node implements AutoCloseable {
        final Belay belay = Belay.connect(store);
        final DefaultCamelContext context = new DefaultCamelContext();
        final AtomicInteger runs = new AtomicInteger();

        Node() throws Exception {
            context.addService(new BelayClusterService(belay));
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
                await().until(() ->
                        second.belay.admin().inspect("orders").claims().size() == 2);
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
}
