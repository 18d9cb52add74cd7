package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.Pace;
import io.belay.spring.Locked;
import io.belay.spring.integration.BelayLockRegistry;
import io.belay.support.Log;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;
import reactor.core.publisher.Mono;

/** What an application has by itself where other modules are on its class path: meters, and the locks of Spring Integration. */
class MetersTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    BelayAutoConfiguration.class,
                    BelayMetricsAutoConfiguration.class,
                    BelayIntegrationAutoConfiguration.class,
                    MetricsAutoConfiguration.class,
                    SimpleMetricsExportAutoConfiguration.class,
                    ObservationAutoConfiguration.class))
            .withBean(Work.class)
            .withPropertyValues("belay.url=memory:meters");

    /** Work under a lock. */
    public static class Work {
        @Locked("work")
        public void work() {}

        /** Does it when somebody subscribes. */
        @Locked("work")
        public Mono<String> later() {
            return Mono.just("done");
        }
    }

    private static Set<String> meters(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(Meter.Id::getName)
                .filter(name -> name.startsWith("belay."))
                .collect(Collectors.toSet());
    }

    @Test
    void waitsAndHoldsAreMeasuredByTheClientAlone() {
        application.run(context -> {
            context.getBean(Work.class).work();
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            meters(registry); // the first look at a family makes its meters
            assertThat(meters(registry))
                    .contains("belay.lock.acquire", "belay.lock.hold", "belay.store.requests")
                    .doesNotContain("belay.acquire", "belay.hold", "belay.acquire.active", "belay.hold.active");
        });
    }

    @Test
    void orByObservationsAlone() {
        application.withPropertyValues("belay.metrics.waits=observations").run(context -> {
            context.getBean(Work.class).work();
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            meters(registry);
            assertThat(meters(registry))
                    .contains("belay.acquire", "belay.hold", "belay.store.requests", "belay.lock.held")
                    .doesNotContain("belay.lock.acquire", "belay.lock.hold");
        });
    }

    /** Of a registry that goes on, as that of a parent context, they would say for good that the store is away. */
    @Test
    void theMetersGoWithTheirClient() {
        AtomicReference<MeterRegistry> registry = new AtomicReference<>();
        application.run(context -> {
            registry.set(context.getBean(MeterRegistry.class));
            assertThat(meters(registry.get())).contains("belay.store.up");
        });
        assertThat(meters(registry.get())).isEmpty();
    }

    /** What is observed, and within what. */
    static final class Parents implements ObservationHandler<Observation.Context> {
        private final Map<String, Optional<ObservationView>> seen = new ConcurrentHashMap<>();

        @Override
        public void onStart(Observation.Context observed) {
            seen.put(observed.getName(), Optional.ofNullable(observed.getParentObservation()));
        }

        @Override
        public boolean supportsContext(Observation.Context observed) {
            return true;
        }
    }

    /** As that of a request of WebFlux, which no thread has. */
    @Test
    void theObservationInReactorsContextIsTheParentOfThoseOfAReactiveMethod() {
        application
                .withPropertyValues("belay.metrics.waits=observations")
                .withBean(Parents.class)
                .run(context -> {
                    Observation request = Observation.start("request", context.getBean(ObservationRegistry.class));
                    Mono<String> result = context.getBean(Work.class).later();
                    assertThat(result.contextWrite(all -> all.put(ObservationThreadLocalAccessor.KEY, request))
                                    .block(Pace.patience()))
                            .isEqualTo("done");
                    request.stop();
                    assertThat(context.getBean(Parents.class).seen)
                            .containsEntry("belay.acquire", Optional.of(request))
                            .containsEntry("belay.hold", Optional.of(request));
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {
        @Bean
        static Belay bills() {
            return Belay.connect("memory:bills");
        }

        @Bean
        static Belay orders() {
            return Belay.connect("memory:orders");
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void ofSeveralClientsALineTellsThatNoneHasThem(CapturedOutput output) {
        ApplicationContextRunner several = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        BelayAutoConfiguration.class,
                        BelayMetricsAutoConfiguration.class,
                        BelayIntegrationAutoConfiguration.class))
                .withUserConfiguration(Two.class);
        several.run(context -> {
            Log.flush(Pace.patience());
            assertThat(context).hasNotFailed().doesNotHaveBean(BelayLockRegistry.class);
            assertThat(output).containsOnlyOnce("several beans of the type Belay (bills, orders) and none is @Primary");
        });
        application.run(context -> assertThat(context).doesNotHaveBean(SeveralClients.class));
    }

    @Test
    void theLocksOfSpringIntegrationAreThere() {
        application.run(
                context -> assertThat(context.getBean(LockRegistry.class)).isInstanceOf(BelayLockRegistry.class));
        application
                .withBean(LockRegistry.class, () -> key -> null)
                .run(context -> assertThat(context).doesNotHaveBean(BelayLockRegistry.class));
    }
}
