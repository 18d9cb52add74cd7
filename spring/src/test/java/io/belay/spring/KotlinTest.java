package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodIntrospector;
import reactor.core.publisher.Flux;

/** Kotlin's functions that suspend, and its flows. */
class KotlinTest {
    @Configuration(proxyBeanMethods = false)
    static class Inner extends Applications.InnerTransactions {
        @Bean
        SuspendingSale suspendingSale(Sale sale) {
            return new SuspendingSale(sale);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Outer extends Applications.OuterTransactions {
        @Bean
        SuspendingSale suspendingSale(Sale sale) {
            return new SuspendingSale(sale);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Inner.class, Outer.class})
    void aFunctionHoldsTheLockWhileItIsSuspended(Class<?> configuration) throws Exception {
        try (AnnotationConfigApplicationContext application = Applications.of(configuration)) {
            SuspendingSale suspending = application.getBean(SuspendingSale.class);
            Sale sale = (Sale) AopProxyUtils.getSingletonTarget(application.getBean(Sale.class));
            Object sold = BuildersKt.runBlocking(
                    EmptyCoroutineContext.INSTANCE, (scope, then) -> suspending.suspending(7, then));
            assertThat(sold).isEqualTo("sold");
            assertThat(sale.events())
                    .containsExactly("begin held", "body held", "resumed held", "committed held", "end free");
        }
    }

    @Test
    void aFunctionThatNobodyAwaitsIsRefused() {
        Method suspending = MethodIntrospector.selectMethods(
                        SuspendingSale.class,
                        (Method method) -> method.getName().equals("suspending"))
                .iterator()
                .next();
        Locked locked = suspending.getAnnotation(Locked.class);
        assertThat(Results.isLater(suspending, suspending.getReturnType())).isTrue();
        MethodChecks.checkSuspending(suspending, locked, true);
        assertThatThrownBy(() -> MethodChecks.checkSuspending(suspending, locked, false))
                .hasMessageContaining("@Locked at io.belay.spring.SuspendingSale.suspending cannot be: ")
                .hasMessageContaining("org.jetbrains.kotlinx:kotlinx-coroutines-reactor is on the class path");
    }

    @Test
    void aFlowHoldsTheLockUntilItHasEmittedAll() {
        try (AnnotationConfigApplicationContext application = Applications.of(Inner.class)) {
            SuspendingSale suspending = application.getBean(SuspendingSale.class);
            Sale sale = (Sale) AopProxyUtils.getSingletonTarget(application.getBean(Sale.class));
            Flux<String> flow = Flux.from(ReactiveFlowKt.asPublisher(suspending.flowing(7)));
            assertThat(flow.collectList().block()).containsExactly("a", "b");
            assertThat(sale.events()).containsExactly("body held", "flowed held", "end free");
        }
    }
}
