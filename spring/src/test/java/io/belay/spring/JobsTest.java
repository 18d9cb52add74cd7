package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.spring.Locked.Otherwise;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

/** Jobs that each of two nodes begins at about the same time, and that one of them is to run. */
class JobsTest {
    private static final String STORE = "memory:" + UUID.randomUUID();

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Client {
        @Bean
        static Belay belay() {
            return Belay.connect(STORE);
        }

        /** A wait that is longer than the test. */
        @Bean
        static LockedDefaults defaults() {
            return new LockedDefaults(Duration.ofMinutes(5), LockOptions.defaults());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling extends Client {}

    /** A job that takes less time than the clocks of two nodes are apart. */
    static class Job {
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicInteger ticks = new AtomicInteger();

        @Scheduled(fixedRate = 10)
        @Locked(value = "job", atLeast = "1h", otherwise = Otherwise.SKIP)
        public void run() {
            runs.incrementAndGet();
        }

        @Scheduled(fixedRate = 10)
        public void tick() {
            ticks.incrementAndGet();
        }

        int runs() {
            return runs.get();
        }

        int ticks() {
            return ticks.get();
        }
    }

    /** Tells the kind of result by a parameter of the type. */
    interface Task<T> {
        T run();
    }

    /** Is known by its interface alone, whose method returns an object. */
    static class Counting implements Task<Optional<String>> {
        @Override
        @Locked(value = "task", otherwise = Otherwise.SKIP)
        public Optional<String> run() {
            return Optional.of("done");
        }
    }

    /** Likewise. */
    static class Leading implements Task<Optional<String>> {
        @Override
        @LeaderOnly("tasks")
        public Optional<String> run() {
            return Optional.of("done");
        }
    }

    /** Likewise. */
    static class Reacting implements Task<Mono<String>> {
        @Override
        @Locked("reaction")
        public Mono<String> run() {
            return Mono.just("done");
        }
    }

    /** Tells the kind of result by a parameter of the class. */
    static class Inherited<T> {
        private final T result;

        Inherited(T result) {
            this.result = result;
        }

        @Locked(value = "task", otherwise = Otherwise.SKIP)
        public T skip() {
            return result;
        }

        @LeaderOnly("tasks")
        public T lead() {
            return result;
        }
    }

    /** Inherits its methods. */
    static class OfOptional extends Inherited<Optional<String>> {
        OfOptional() {
            super(Optional.of("done"));
        }
    }

    /** Likewise. */
    static class InheritedReaction<T> {
        private final T result;

        InheritedReaction(T result) {
            this.result = result;
        }

        @Locked("reaction")
        public T run() {
            return result;
        }
    }

    /** Likewise. */
    static class OfMono extends InheritedReaction<Mono<String>> {
        OfMono() {
            super(Mono.just("done"));
        }
    }

    @Test
    void whatIsInheritedFromAGenericClassIsWhatItsClassSays() throws Exception {
        try (Belay other = Belay.connect(STORE);
                AnnotationConfigApplicationContext context = Applications.of(Client.class, OfOptional.class);
                AnnotationConfigApplicationContext reactive = Applications.of(Client.class, OfMono.class)) {
            OfOptional task = context.getBean(OfOptional.class);
            assertThat(task.skip()).hasValue("done");
            try (Lease held = other.lock("task").acquire()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(task.skip()).isEmpty();
            }
            context.getBean(Leaderships.class).stop();
            assertThat(task.lead()).isEmpty();
            assertThat(reactive.getBean(OfMono.class).run().block()).isEqualTo("done");
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void whatIsCalledByAGenericInterfaceIsWhatItsClassSays() throws Exception {
        try (Belay other = Belay.connect(STORE);
                AnnotationConfigApplicationContext context = Applications.of(Client.class, Counting.class);
                AnnotationConfigApplicationContext leaders = Applications.of(Client.class, Leading.class);
                AnnotationConfigApplicationContext reactive = Applications.of(Client.class, Reacting.class)) {
            Task<Optional<String>> task = context.getBean(Task.class);
            assertThat(AopUtils.isJdkDynamicProxy(task)).isTrue();
            assertThat(task.run()).hasValue("done");
            try (Lease held = other.lock("task").acquire()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(task.run()).isEmpty();
            }
            leaders.getBean(Leaderships.class).stop();
            Task<Optional<String>> led = leaders.getBean(Task.class);
            assertThat(led.run()).isEmpty();
            Task<Mono<String>> reaction = reactive.getBean(Task.class);
            assertThat(reaction.run().block()).isEqualTo("done");
        }
    }

    static class Reports {
        @LeaderOnly("reports of the night")
        public Optional<String> run() {
            return Optional.of("done");
        }
    }

    /** A job that has its one moment was run by nobody then, perhaps. */
    @Test
    void whoBeginsToLeadTellsOfTheCallsThatItSkippedShortlyBefore() throws Exception {
        ExecutorService callbacks = Executors.newSingleThreadExecutor();
        try (Belay other = Belay.connect(STORE);
                Belay belay = Belay.connect(
                        STORE,
                        BelayOptions.defaults()
                                .withCallbackExecutor(callbacks)
                                .withLockDefaults(LockOptions.defaults().withLease(Duration.ofHours(1))));
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            Lease lead = other.election("reports of the night").campaign();
            context.registerBean(Belay.class, () -> belay, definition -> definition.setDestroyMethodName(""));
            context.register(EnablesOnly.class, Reports.class);
            context.refresh();
            Reports reports = context.getBean(Reports.class);
            assertThat(Lines.of(() -> {
                        assertThat(reports.run()).isEmpty();
                        lead.release();
                        await().until(() -> reports.run().isPresent());
                        CompletableFuture.runAsync(() -> {}, callbacks).join(); // what was won is told by then
                    }))
                    .contains(
                            "Reports.run was skipped ", " ms before this process began to lead 'reports of the night'");
        } finally {
            callbacks.shutdown();
        }
    }

    static class LeadingByAProperty {
        @LeaderOnly("${belay.test.reports}")
        public Optional<String> run() {
            return Optional.of("done");
        }
    }

    /** Else every node would skip it for ever: nobody campaigns for what the property says now. */
    @Test
    void aLeaderGoesOnUnderTheNameByWhichItsElectionWasEntered() {
        Map<String, Object> properties = new ConcurrentHashMap<>(Map.of("belay.test.reports", "reports"));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("changing", properties));
            context.register(Client.class, LeadingByAProperty.class);
            context.refresh();
            LeadingByAProperty task = context.getBean(LeadingByAProperty.class);
            await().until(() -> task.run().isPresent());
            properties.put("belay.test.reports", "others");
            assertThat(task.run()).hasValue("done");
        }
    }

    static class Skipped {
        private volatile boolean ran;

        @Locked(value = "skipped", otherwise = Otherwise.SKIP)
        public void run() {
            ran = true;
        }

        @Locked(value = "skipped", otherwise = Otherwise.SKIP)
        public Mono<Void> react() {
            return Mono.fromRunnable(() -> ran = true);
        }

        public boolean ran() {
            return ran;
        }
    }

    @Test
    void ofTwoNodesOneRunsTheJobWhileTheLockStaysTaken() {
        try (AnnotationConfigApplicationContext one = Applications.of(Scheduling.class, Job.class);
                AnnotationConfigApplicationContext other = Applications.of(Scheduling.class, Job.class)) {
            Job first = one.getBean(Job.class);
            Job second = other.getBean(Job.class);
            int before = first.ticks();
            await().until(() -> first.ticks() > before + 10 && second.ticks() > 10);
            assertThat(first.runs() + second.runs()).isEqualTo(1);
        }
    }

    @Test
    @Timeout(600)
    void aCallThatIsSkippedDoesNotWaitUnlessToldTo() {
        try (AnnotationConfigApplicationContext application = Applications.of(Client.class, Skipped.class);
                Belay other = Belay.connect(STORE);
                Lease held = other.lock("skipped").tryAcquire().orElseThrow()) {
            Skipped bean = application.getBean(Skipped.class);
            bean.run();
            bean.react().block();
            assertThat(held.isHeld()).isTrue();
            assertThat(bean.ran()).isFalse();
        }
    }

    /** What the client has for its locks holds where neither the annotation nor a bean says anything. */
    @Test
    void theClientsOptionsHoldForLocksByAnnotation() {
        try (Belay belay = Belay.connect(
                        STORE,
                        BelayOptions.defaults()
                                .withLockDefaults(LockOptions.defaults().withLease(Duration.ofMinutes(3))));
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(Belay.class, () -> belay, definition -> definition.setDestroyMethodName(""));
            context.register(EnablesOnly.class, Looks.class);
            context.refresh();
            assertThat(context.getBean(Looks.class).left()).isGreaterThan(Duration.ofMinutes(1));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class EnablesOnly {}

    static class Looks {
        @Locked("looks")
        public Duration left() {
            return CurrentLease.get().remaining();
        }
    }
}
