package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.spring.LockPlacement.Side;
import io.github.resilience4j.common.retry.configuration.CommonRetryConfigurationProperties.InstanceProperties;
import io.github.resilience4j.spring6.fallback.configure.FallbackConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfigurationProperties;
import io.github.resilience4j.spring6.spelresolver.configure.SpelResolverConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import org.aopalliance.intercept.MethodInterceptor;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** The place of the lock among retries, caches, checks and transactions, whatever numbers they have. */
class AdviceOrderTest {
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    @EnableMethodSecurity
    @EnableResilientMethods
    @Import({RetryConfiguration.class, FallbackConfiguration.class, SpelResolverConfiguration.class, Audit.class})
    static class Base {
        @Bean
        static Belay belay() {
            return Belay.connect("memory:" + UUID.randomUUID());
        }

        @Bean
        Bench bench(Belay belay) {
            return new Bench(belay);
        }

        @Bean
        LockDecorator taken(Bench bench) {
            return lock -> {
                target(bench).note("lock");
                return lock;
            };
        }

        @Bean
        CacheManager caches() {
            return new ConcurrentMapCacheManager();
        }

        @Bean
        JdbcTransactionManager transactionManager(Bench bench) {
            JdbcTransactionManager manager =
                    new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:advice-order"));
            manager.addListener(new TransactionExecutionListener() {
                @Override
                public void beforeBegin(TransactionExecution transaction) {
                    target(bench).note("begin");
                }

                @Override
                public void afterCommit(TransactionExecution transaction, Throwable failure) {
                    target(bench).note("committed");
                }

                @Override
                public void afterRollback(TransactionExecution transaction, Throwable failure) {
                    target(bench).note("rolled back");
                }
            });
            return manager;
        }

        @Bean
        RetryConfigurationProperties retries() {
            RetryConfigurationProperties retries = new RetryConfigurationProperties();
            retries.getInstances()
                    .put("bench", new InstanceProperties().setMaxAttempts(2).setWaitDuration(Duration.ofMillis(1)));
            return retries;
        }
    }

    /** Transactions that have the number of retries and caches, as by default. */
    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    @EnableRetry
    @EnableTransactionManagement
    static class Equal extends Base {}

    /** Transactions that lie inside of all others. */
    @Configuration(proxyBeanMethods = false)
    @EnableCaching(order = 1)
    @EnableRetry(order = 2)
    @EnableTransactionManagement
    static class Inner extends Base {}

    /** The same, of a bean in a scope, which others call by a proxy that finds it. */
    @Configuration(proxyBeanMethods = false)
    static class InScope extends Inner {
        @Bean
        static CustomScopeConfigurer scopes() {
            CustomScopeConfigurer scopes = new CustomScopeConfigurer();
            scopes.addScope("thread", new SimpleThreadScope());
            return scopes;
        }

        @Bean
        @Override
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Bench bench(Belay belay) {
            return super.bench(belay);
        }
    }

    /** Transactions that lie around all others. */
    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    @EnableRetry
    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)
    static class Outer extends Base {}

    /** An aspect of the application. */
    @Aspect
    @Order(3)
    static class Audit {
        private final Bench bench;

        Audit(Bench bench) {
            this.bench = bench;
        }

        @Around("@annotation(io.belay.spring.Audited)")
        public Object around(ProceedingJoinPoint point) throws Throwable {
            target(bench).note("audit");
            return point.proceed();
        }
    }

    private static Bench target(Bench bench) {
        Object target = AopProxyUtils.getSingletonTarget(bench);
        return target == null ? bench : (Bench) target;
    }

    private static final List<String> ATTEMPTS = List.of(
            "lock", "begin held", "body held", "rolled back held", "lock", "begin held", "body held", "committed held");

    private static void with(
            Class<?> configuration, BiConsumer<Bench, AnnotationConfigApplicationContext> body, Class<?>... more) {
        try (AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            application.register(configuration);
            List.of(more).forEach(application::register);
            application.refresh();
            body.accept(application.getBean(Bench.class), application);
        }
    }

    private static List<String> events(Bench bench, ToIntFunction<Bench> call) {
        target(bench).events();
        assertThat(call.applyAsInt(bench)).isEqualTo(1);
        return target(bench).events();
    }

    @Test
    void eachAttemptLocksAnewInATransactionOfItsOwn() {
        with(Inner.class, (bench, application) -> {
            assertThat(events(bench, Bench::framework)).isEqualTo(ATTEMPTS);
            assertThat(events(bench, Bench::springRetry)).isEqualTo(ATTEMPTS);
            assertThat(events(bench, Bench::resilience4j)).isEqualTo(ATTEMPTS);
            assertThat(events(bench, Bench::withoutTransaction))
                    .containsExactly("lock", "body held", "lock", "body held");
        });
    }

    @Test
    void theLockOfABeanInAScopeIsWhereThatOfAnyOtherIs() {
        with(InScope.class, (bench, application) -> {
            assertThat(events(bench, Bench::framework)).isEqualTo(ATTEMPTS);
            assertThat(events(bench, called -> called.cached(1)))
                    .containsExactly("lock", "begin held", "body held", "committed held");
            assertThat(events(bench, called -> called.cached(1))).isEmpty();
        });
    }

    /** And so all attempts are in one transaction, under one lock. A method of the same bean that has none is not concerned. */
    @Test
    void whereTheTransactionLiesAroundTheRetryTheLockDoesToo() {
        String lines = Lines.of(() -> with(Outer.class, (bench, application) -> {
            assertThat(events(bench, Bench::springRetry))
                    .containsExactly("lock", "begin held", "body held", "body held", "committed held");
            assertThat(events(bench, Bench::resilience4j))
                    .containsExactly("lock", "begin held", "body held", "body held", "committed held");
            assertThat(events(bench, Bench::withoutTransaction))
                    .containsExactly("lock", "body held", "lock", "body held");
            assertThat(events(bench, Bench::framework)).isEqualTo(ATTEMPTS); // Spring's own come around all
        }));
        assertThat(lines.lines().filter(line -> line.contains("@Locked at")))
                .anyMatch(
                        line -> line.contains(
                                "Bench.springRetry lies around AnnotationAwareRetryOperationsInterceptor, as its transaction does"))
                .anyMatch(line -> line.contains("Bench.resilience4j lies around RetryAspect, as its transaction does"))
                .anyMatch(line -> line.contains("Bench.cached lies around CacheInterceptor"))
                .noneMatch(line -> line.contains("withoutTransaction"))
                .noneMatch(line -> line.contains("framework"));
    }

    @ParameterizedTest
    @ValueSource(classes = {Equal.class, Inner.class, Outer.class})
    void nothingComesBetweenTheLockAndTheTransaction(Class<?> configuration) {
        with(configuration, (bench, application) -> {
            List<ToIntFunction<Bench>> calls =
                    List.of(Bench::framework, Bench::springRetry, Bench::resilience4j, called -> called.cached(1));
            for (ToIntFunction<Bench> call : calls) {
                List<String> events = events(bench, call);
                for (int i = 0; i < events.size(); i++) {
                    if (events.get(i).startsWith("begin")) {
                        assertThat(events.subList(i - 1, i + 1)).containsExactly("lock", "begin held");
                    }
                }
                assertThat(events).contains("begin held").endsWith("committed held");
            }
        });
    }

    @Test
    void aHitOfTheCacheAndARefusalTakeNoLock() {
        with(Inner.class, (bench, application) -> {
            assertThat(events(bench, called -> called.cached(1)))
                    .containsExactly("lock", "begin held", "body held", "committed held");
            assertThat(events(bench, called -> called.cached(1))).isEmpty();
            SecurityContextHolder.getContext()
                    .setAuthentication(new TestingAuthenticationToken("somebody", "", "ROLE_USER"));
            try {
                assertThatThrownBy(bench::denied).isInstanceOf(AccessDeniedException.class);
            } finally {
                SecurityContextHolder.clearContext();
            }
            assertThat(target(bench).events()).isEmpty();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class AuditInside {
        @Bean
        LockPlacement placement() {
            return advice -> advice == Audit.class ? Side.INSIDE : Side.EITHER;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AuditOutside {
        @Bean
        LockPlacement placement() {
            return advice -> advice == Audit.class ? Side.OUTSIDE : Side.EITHER;
        }
    }

    private static List<String> audited(Class<?> configuration, Class<?>... more) {
        List<String> events = new ArrayList<>();
        with(
                configuration,
                (bench, application) -> {
                    bench.audited();
                    bench.auditedInTransaction();
                    events.addAll(target(bench).events());
                },
                more);
        return events;
    }

    @Test
    void theApplicationPlacesTheLockAmongItsOwnAspects() {
        assertThat(audited(Inner.class))
                .containsExactly(
                        "lock",
                        "audit held",
                        "body held",
                        "audit",
                        "lock",
                        "begin held",
                        "body held",
                        "committed held");
        assertThat(audited(Inner.class, AuditInside.class))
                .containsExactly(
                        "lock",
                        "audit held",
                        "body held",
                        "lock",
                        "audit held",
                        "begin held",
                        "body held",
                        "committed held");
        assertThat(audited(Inner.class, AuditOutside.class))
                .containsExactly(
                        "audit", "lock", "body held", "audit", "lock", "begin held", "body held", "committed held");
    }

    /** Puts its advice last, as Spring's validation of methods does, whose classes need a validator. */
    static class Appending extends AbstractBeanFactoryAwareAdvisingPostProcessor {
        private static final long serialVersionUID = 1;

        Appending() {
            advisor = new DefaultPointcutAdvisor(
                    new AnnotationMatchingPointcut(null, Audited.class, true), (MethodInterceptor) call -> {
                        ((Bench) Objects.requireNonNull(call.getThis())).note("validation");
                        return call.proceed();
                    });
        }
    }

    /** The same, told to put it first. */
    static class Preceding extends Appending {
        private static final long serialVersionUID = 1;

        Preceding() {
            setBeforeExistingAdvisors(true);
        }
    }

    @Test
    void whatIsAppendedAfterTheLockLiesInsideUnlessItIsToldToComeFirst() {
        assertThat(audited(Inner.class, Appending.class))
                .containsSubsequence("lock", "validation held", "body held", "lock", "begin held", "validation held");
        assertThat(audited(Inner.class, Preceding.class))
                .containsSubsequence("validation", "lock", "body held", "validation", "lock", "begin held");
    }
}
