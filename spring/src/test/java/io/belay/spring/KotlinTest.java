package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;

import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;

/** Kotlin's functions that suspend, and its flows. */
@Timeout(60)
class KotlinTest {
    @Configuration(proxyBeanMethods = false)
    static class Application extends Applications.Base {
        @Bean
        SuspendingSale suspendingSale(Sale sale) {
            return new SuspendingSale(sale);
        }
    }

    @Test
    void aFunctionHoldsTheLockWhileItIsSuspended() throws Exception {
        try (AnnotationConfigApplicationContext application = Applications.of(Application.class)) {
            SuspendingSale suspending = application.getBean(SuspendingSale.class);
            Sale sale = application.getBean(Sale.class);
            Object sold = BuildersKt.runBlocking(
                    EmptyCoroutineContext.INSTANCE, (scope, then) -> suspending.suspending(7, then));
            assertThat(sold).isEqualTo("sold");
            assertThat(sale.events()).containsExactly("body held", "resumed held", "end free");
        }
    }

    @Test
    void aFlowHoldsTheLockUntilItHasEmittedAll() {
        try (AnnotationConfigApplicationContext application = Applications.of(Application.class)) {
            SuspendingSale suspending = application.getBean(SuspendingSale.class);
            Sale sale = application.getBean(Sale.class);
            Flux<String> flow = Flux.from(ReactiveFlowKt.asPublisher(suspending.flowing(7)));
            assertThat(flow.collectList().block()).containsExactly("a", "b");
            assertThat(sale.events()).containsExactly("body held", "flowed held", "end free");
        }
    }
}
