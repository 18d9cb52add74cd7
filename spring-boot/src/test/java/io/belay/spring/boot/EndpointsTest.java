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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.integration.gateway.MessagingGatewaySupport;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;

/** The client outlives the endpoints of Spring Integration that bring messages, and is there before they are. */
class EndpointsTest {
    /** Brings messages by a thread of its own, from its start to its stop, as endpoints of Redis and MQTT do. */
    static final class Feed {
        private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        private final AtomicInteger sent = new AtomicInteger();
        /** A lock that is held until a message fails, or no more come. */
        private volatile Lease held;

        private volatile boolean going;
        private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

        void start(Consumer<Message<?>> sends) {
            CompletableFuture<Void> first = new CompletableFuture<>();
            CompletableFuture<Void> last = new CompletableFuture<>();
            going = true;
            ended = last;
            Thread thread = new Thread(() -> {
                while (going) {
                    try {
                        sends.accept(new GenericMessage<>("order"));
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

        void stop() {
            going = false;
            ended.orTimeout(Pace.seconds(), TimeUnit.SECONDS).join();
            held.release();
        }
    }

    /** A channel adapter. */
    static final class Adapter extends MessageProducerSupport {
        private final Feed feed;

        Adapter(Feed feed) {
            this.feed = feed;
        }

        @Override
        protected void doStart() {
            feed.start(this::sendMessage);
        }

        @Override
        protected void doStop() {
            feed.stop();
        }
    }

    /** An inbound gateway. */
    static final class Gateway extends MessagingGatewaySupport {
        private final Feed feed;

        Gateway(Feed feed) {
            this.feed = feed;
        }

        @Override
        protected void doStart() {
            super.doStart();
            feed.start(this::send);
        }

        @Override
        protected void doStop() {
            feed.stop();
            super.doStop();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Flow {
        @Bean
        static Feed feed(Belay belay) throws InterruptedException {
            Feed feed = new Feed();
            feed.held = belay.lock("held").acquire();
            return feed;
        }

        @Bean
        static DirectChannel orders(BelayLockRegistry locks) {
            DirectChannel orders = new DirectChannel();
            orders.subscribe(message -> {
                Lock lock = locks.obtain("orders");
                lock.lock();
                lock.unlock();
            });
            return orders;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithAdapter extends Flow {
        @Bean
        static Adapter adapter(Feed feed, DirectChannel orders) {
            Adapter adapter = new Adapter(feed);
            adapter.setOutputChannel(orders);
            return adapter;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithGateway extends Flow {
        @Bean
        static Gateway gateway(Feed feed, DirectChannel orders) {
            Gateway gateway = new Gateway(feed);
            gateway.setRequestChannel(orders);
            return gateway;
        }
    }

    private static void nothingFails(Class<?> flow, Consumer<ConfigurableApplicationContext> ends) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(BelayAutoConfiguration.class, BelayIntegrationAutoConfiguration.class))
                .withUserConfiguration(flow)
                .withPropertyValues("belay.url=memory:" + UUID.randomUUID())
                .run(context -> {
                    Feed feed = context.getBean(Feed.class);
                    assertThat(feed.failures).isEmpty();
                    assertThat(feed.sent).as("by the start").hasPositiveValue();
                    ends.accept(context.getSourceApplicationContext(ConfigurableApplicationContext.class));
                    assertThat(feed.failures).isEmpty();
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {WithAdapter.class, WithGateway.class})
    void noMessageFailsAsTheContextIsClosed(Class<?> flow) {
        nothingFails(flow, ConfigurableApplicationContext::close);
    }

    @ParameterizedTest
    @ValueSource(classes = {WithAdapter.class, WithGateway.class})
    void norAsItIsStoppedAndStarted(Class<?> flow) {
        nothingFails(flow, context -> {
            Feed feed = context.getBean(Feed.class);
            context.stop();
            int before = feed.sent.get();
            context.start();
            assertThat(feed.sent).hasValueGreaterThan(before);
        });
    }
}
