package io.belay.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.MessageChannel;

/** Flows of two applications, with the registry as a bean, that share a store and must not both be at it. */
class FlowTest {
    private static final int MESSAGES = 200;

    /** What both applications work on, and nothing but the lock protects. */
    private static int counter;

    private static final List<Collection<?>> GROUPS = new CopyOnWriteArrayList<>();

    @Configuration
    @EnableIntegration
    static class Application {
        static SimpleMessageStore shared = new SimpleMessageStore();

        @Bean
        Belay belay() {
            return Belay.connect("memory:flow");
        }

        @Bean
        BelayLockRegistry locks(Belay belay) {
            return BelayLockRegistry.of(belay);
        }

        @Bean
        IntegrationFlow counting(BelayLockRegistry locks) {
            LockRequestHandlerAdvice advice = new LockRequestHandlerAdvice(locks, message -> "counter");
            return IntegrationFlow.from("count")
                    .handle(
                            message -> {
                                int before = counter;
                                Thread.yield();
                                counter = before + 1;
                            },
                            endpoint -> endpoint.advice(advice))
                    .get();
        }

        @Bean
        IntegrationFlow gathering(BelayLockRegistry locks) {
            return IntegrationFlow.from("gather")
                    .aggregate(aggregator -> aggregator
                            .lockRegistry(locks)
                            .messageStore(shared)
                            .releaseStrategy(FlowTest::isWhole)
                            .correlationStrategy(message -> (int) message.getPayload() / 4)
                            .expireGroupsUponCompletion(true))
                    .handle(message -> GROUPS.add((Collection<?>) message.getPayload()))
                    .get();
        }
    }

    /** Looks after a pause, in which another that is not kept out adds to the group. */
    private static boolean isWhole(MessageGroup group) {
        LockSupport.parkNanos(1_000_000);
        return group.size() == 4;
    }

    @Test
    void twoApplicationsTakeTurns() throws Exception {
        counter = 0;
        sendThroughBoth("count");
        assertThat(counter).isEqualTo(MESSAGES);
    }

    @Test
    void twoAggregatorsGatherWholeGroups() throws Exception {
        GROUPS.clear();
        sendThroughBoth("gather");
        assertThat(GROUPS).hasSize(MESSAGES / 4).allMatch(group -> group.size() == 4);
    }

    private static void sendThroughBoth(String channel) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (AnnotationConfigApplicationContext one = new AnnotationConfigApplicationContext(Application.class);
                AnnotationConfigApplicationContext other = new AnnotationConfigApplicationContext(Application.class)) {
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                int payload = i;
                MessageChannel to = (i % 2 == 0 ? one : other).getBean(channel, MessageChannel.class);
                sent.add(threads.submit(
                        () -> to.send(MessageBuilder.withPayload(payload).build())));
            }
            for (Future<?> each : sent) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
