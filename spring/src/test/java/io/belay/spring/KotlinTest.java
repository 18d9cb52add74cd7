package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.Lease;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodIntrospector;
import org.springframework.jdbc.support.JdbcTransactionManager;
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

    @ParameterizedTest
    @CsvSource({"stock:7, false", "stock:7, true", "other:7, true"})
    void aFunctionThatIsCancelledHoldsItsLocksUntilItHasEnded(String name, boolean nested) throws Exception {
        try (AnnotationConfigApplicationContext application = Applications.of(Inner.class)) {
            SuspendingSale suspending = application.getBean(SuspendingSale.class);
            Sale sale = (Sale) AopProxyUtils.getSingletonTarget(application.getBean(Sale.class));
            ((SuspendingSale) AopProxyUtils.getSingletonTarget(suspending)).cancel(suspending, name, nested);
            application.getBean(Belay.class).lock("stock:7").acquire().close();
            assertThat(sale.events()).containsExactly("body held", "cancelled held", "cleaned held", "end free");
        }
    }

    @Test
    void aBlockingManagerOfOneIsTold() {
        String lines = Lines.of(() -> Applications.of(Inner.class).close());
        Stream.of("ofABlockingManager", "monoOfABlockingManager")
                .forEach(name -> assertThat(lines)
                        .contains("SuspendingSale." + name
                                + " is @Locked and @Transactional, and does its work when it is"
                                + " subscribed to, while its transaction manager ("
                                + JdbcTransactionManager.class.getName()
                                + ") is a blocking one"));
        assertThat(lines.lines().filter(line -> line.contains("a blocking one")))
                .hasSize(2);
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

    @Test
    void aFlowOfAFunctionThatSuspendsIsEmittedAsAWholeUnderTheLock() throws Exception {
        try (AnnotationConfigApplicationContext application = Applications.of(Inner.class)) {
            SuspendingSale suspending = application.getBean(SuspendingSale.class);
            Sale sale = (Sale) AopProxyUtils.getSingletonTarget(application.getBean(Sale.class));
            Object flow = BuildersKt.runBlocking(
                    EmptyCoroutineContext.INSTANCE, (scope, then) -> suspending.suspendingFlow(7, then));
            assertThat(Flux.from(ReactiveFlowKt.asPublisher((Flow<?>) flow))
                            .collectList()
                            .block())
                    .isEqualTo(List.of("a", "b"));
            assertThat(sale.events()).containsExactly("body held", "flowed held", "end free");
        }
    }

    static Stream<Arguments> refused() {
        String untold =
                "sell cannot be: nobody tells when the %s that it returns is done, and the lock would be given back before:"
                        + " return what is done, or a Flow of that, declared as such";
        return Stream.of(
                Arguments.of(SuspendsToAFlowOfAClass.class, untold.formatted("Flow")),
                Arguments.of(SuspendsToAFlowOfAnInterface.class, untold.formatted("Flow")),
                Arguments.of(SuspendsToAFlowInside.class, untold.formatted("Flow")),
                Arguments.of(SuspendsToAStateFlow.class, untold.formatted("StateFlow")),
                Arguments.of(SuspendsToAStream.class, untold.formatted("Stream")),
                Arguments.of(SuspendsToAJob.class, untold.formatted("Job")),
                Arguments.of(SuspendsToADeferred.class, untold.formatted("Deferred")),
                Arguments.of(SuspendsToAFuture.class, untold.formatted("CompletableFuture")),
                Arguments.of(SuspendsToAMono.class, untold.formatted("Mono")),
                Arguments.of(SuspendsToAResult.class, "a skipped call has no ResponseEntity to return"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Class<?> bean, String why) {
        assertThatThrownBy(() -> Applications.of(Inner.class, bean).close())
                .rootCause()
                .hasMessageContaining(why);
    }

    @Test
    void aFunctionThatReturnsNothingOrAnOptionalCanBeSkipped() throws Exception {
        try (AnnotationConfigApplicationContext application = Applications.of(Inner.class)) {
            SuspendingSale suspending = application.getBean(SuspendingSale.class);
            Sale sale = (Sale) AopProxyUtils.getSingletonTarget(application.getBean(Sale.class));
            try (Lease other = application.getBean(Belay.class).lock("stock:7").acquire()) {
                BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, then) -> suspending.job(7, then));
                assertThat(perhaps(suspending)).isEqualTo(Optional.empty());
                assertThat(other.isHeld()).isTrue();
            }
            assertThat(sale.events()).containsExactly("end free");
            BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, then) -> suspending.job(7, then));
            assertThat(perhaps(suspending)).isEqualTo(Optional.of("sold"));
            assertThat(sale.events()).containsExactly("end free", "body held", "end free");
        }
    }

    private static Object perhaps(SuspendingSale sale) throws InterruptedException {
        return BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, then) -> sale.perhaps(7, then));
    }
}
