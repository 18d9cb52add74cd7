package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.Pace;
import io.belay.spring.integration.BelayLockRegistry;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.messaging.support.GenericMessage;

/** The client outlives the endpoints of Spring Integration that bring messages, and is there before they are. */
class EndpointsTest {
    /** An endpoint that brings messages by a thread of its own, from its start to its stop, as those of Redis and MQTT do. */
    static final class Source extends MessageProducerSupport {
        private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        private final AtomicInteger sent = new AtomicInteger();
        /** A lock that is held until a message fails, or no more come. */
        private volatile Lease held;

        private volatile boolean going;
        private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

        @Override
        protected void doStart() {
            CompletableFuture<Void> first = new CompletableFuture<>();
            CompletableFuture<Void> last = new CompletableFuture<>();
            going = true;
            ended = last;
            Thread thread = new Thread(() -> {
                while (going) {
                    try {
                        sendMessage(new GenericMessage<>("order"));
                        sent.incrementAndGet();
                    } catch (RuntimeException e) {
                        failures.add(e);
                        going = false;
                        held.release();
                    }
                    first.complete(null);
                }
                last.complete(null);
            });
            thread.setDaemon(true);
            thread.start();
            first.orTimeout(Pace.seconds(), TimeUnit.SECONDS).join();
        }

        @Override
        protected void doStop() {
            going = false;
            ended.orTimeout(Pace.seconds(), TimeUnit.SECONDS).join();
            held.release();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Flow {
        @Bean
        static Source source(Belay belay, BelayLockRegistry locks) throws InterruptedException {
            DirectChannel orders = new DirectChannel();
            orders.subscribe(message -> {
                Lock lock = locks.obtain("orders");
                lock.lock();
                lock.unlock();
            });
            Source source = new Source();
            source.setOutputChannel(orders);
            source.held = belay.lock("held").acquire();
            return source;
        }
    }

    private static void nothingFails(Consumer<ConfigurableApplicationContext> ends) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(BelayAutoConfiguration.class, BelayIntegrationAutoConfiguration.class))
                .withUserConfiguration(Flow.class)
                .withPropertyValues("belay.url=memory:" + UUID.randomUUID())
                .run(context -> {
                    Source source = context.getBean(Source.class);
                    assertThat(source.failures).isEmpty();
                    assertThat(source.sent).as("by the start").hasPositiveValue();
                    ends.accept(context.getSourceApplicationContext(ConfigurableApplicationContext.class));
                    assertThat(source.failures).isEmpty();
                });
    }

    @Test
    void noMessageFailsAsTheContextIsClosed() {
        nothingFails(ConfigurableApplicationContext::close);
    }

    @Test
    void norAsItIsStoppedAndStarted() {
        nothingFails(context -> {
            Source source = context.getBean(Source.class);
            context.stop();
            int before = source.sent.get();
            context.start();
            assertThat(source.sent).hasValueGreaterThan(before);
        });
    }
}
