package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.OwnHold;
import io.belay.spring.Locked.Mode;
import io.belay.spring.Locked.Otherwise;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Nested calls by views of one client: those that want the lock which is held go on under it, and are not skipped. */
class NestedViewsTest {
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Orders {
        @Bean
        static Belay orders(@Qualifier("belay") Belay belay) {
            return belay.namespace("orders");
        }

        @Bean
        static Reports reports() {
            return new Reports();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class Application {
        @Bean
        static Belay belay() {
            return Belay.connect("memory:" + UUID.randomUUID());
        }
    }

    static class Reports {
        @Locked(value = "report", belay = "orders", otherwise = Otherwise.SKIP)
        public <T> Optional<T> byTheView(Supplier<T> body) {
            return Optional.of(body.get());
        }

        @Locked(value = "orders:report", belay = "belay", otherwise = Otherwise.SKIP)
        public <T> Optional<T> byTheClient(Supplier<T> body) {
            return Optional.of(body.get());
        }

        @Locked(value = "orders:report", belay = "belay", mode = Mode.READ, otherwise = Otherwise.SKIP)
        public void reading() {}

        @Locked(value = "report", belay = "belay", otherwise = Otherwise.SKIP)
        public <T> Optional<T> another(Supplier<T> body) {
            return Optional.of(body.get());
        }
    }

    /** As of a configuration that each of them has, with a bean that is made of the client. */
    @Test
    void aCallOfAnotherContextGoesOnUnderTheSameLock() {
        try (AnnotationConfigApplicationContext parent = Applications.of(Application.class);
                AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            child.setParent(parent);
            child.register(Orders.class);
            child.refresh();
            assertThat(child.getBean("orders")).isNotSameAs(parent.getBean("orders"));
            Reports around = child.getBean(Reports.class);
            Reports inside = parent.getBean(Reports.class);
            assertThat(around.byTheView(() -> inside.byTheView(() -> held(parent))))
                    .contains(Optional.of(List.of("orders:report")));
        }
    }

    @Test
    void aCallByTheFullNameGoesOnUnderTheSameLock() {
        try (AnnotationConfigApplicationContext context = Applications.of(Application.class)) {
            Reports reports = context.getBean(Reports.class);
            assertThat(reports.byTheView(() -> reports.byTheClient(() -> held(context))))
                    .contains(Optional.of(List.of("orders:report")));
            assertThat(reports.byTheClient(() -> reports.byTheView(() -> held(context))))
                    .contains(Optional.of(List.of("orders:report")));
        }
    }

    @Test
    void aCallInAnotherModeIsRefused() {
        try (AnnotationConfigApplicationContext context = Applications.of(Application.class)) {
            Reports reports = context.getBean(Reports.class);
            assertThatThrownBy(() -> reports.byTheView(() -> {
                        reports.reading();
                        return "";
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is held by an outer call of this thread, in another mode");
        }
    }

    @Test
    void theSameNameOfAnotherNamespaceIsAnotherLock() {
        try (AnnotationConfigApplicationContext context = Applications.of(Application.class)) {
            Reports reports = context.getBean(Reports.class);
            assertThat(reports.byTheView(() -> reports.another(() -> held(context))))
                    .contains(Optional.of(List.of("orders:report", "report")));
        }
    }

    @Test
    void namesAreEqualWhereTheyAreOfOneLockAndMode() {
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID());
                Belay other = Belay.connect("memory:" + UUID.randomUUID())) {
            LockName name = new LockName(belay, "orders:report", Mode.EXCLUSIVE);
            assertThat(new LockName(belay.namespace("orders"), "report", Mode.EXCLUSIVE))
                    .isEqualTo(name)
                    .hasSameHashCodeAs(name)
                    .isNotEqualTo(new LockName(belay, "orders:report", Mode.WRITE))
                    .isNotEqualTo(new LockName(other, "orders:report", Mode.EXCLUSIVE));
        }
    }

    private static List<String> held(AnnotationConfigApplicationContext context) {
        return context.getBean("belay", Belay.class).admin().holds().stream()
                .map(OwnHold::name)
                .sorted()
                .toList();
    }
}
