package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.LockOptions;
import io.belay.spring.CurrentLease;
import io.belay.spring.Locked;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The options of locked methods are those of their client, wherever that has them from. */
class LockedOptionsTest {
    private static final LockOptions PATIENT = LockOptions.defaults().withLease(Duration.ofMinutes(3));

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BelayAutoConfiguration.class))
            .withBean(Work.class);

    /** Tells how long its lock would stay taken. */
    public static class Work {
        @Locked("work")
        public Duration left() {
            return CurrentLease.get().remaining();
        }
    }

    private static void assertLease(ApplicationContextRunner application, Duration lease) {
        application.run(context -> assertThat(context.getBean(Work.class).left())
                .isLessThanOrEqualTo(lease)
                .isGreaterThan(lease.dividedBy(2)));
    }

    @Test
    void aPropertyIsHeeded() {
        assertLease(
                application.withPropertyValues("belay.url=memory:options", "belay.lock.lease=10m"),
                Duration.ofMinutes(10));
    }

    /** The name comes from {@code belay run}, in a variable that Spring takes for a value of {@code belay.lock}. */
    @Test
    void theNameOfALockAroundTheApplicationIsNoOption() {
        Map<String, Object> variables = Map.of("BELAY_LOCK", "nightly", "BELAY_TOKEN", "7");
        ApplicationContextRunner inside = application
                .withPropertyValues("belay.url=memory:options")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource("run-systemEnvironment", variables)));
        inside.run(context ->
                assertThat(context.getBean(Belay.class).lockDefaults().lease()).hasSeconds(30));
        inside.withPropertyValues("belay.lock.lease=5s")
                .run(context -> assertThat(
                                context.getBean(Belay.class).lockDefaults().lease())
                        .hasSeconds(5));
        inside.withPropertyValues("belay.lock.lease=soon")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void aCustomizerIsHeeded() {
        assertLease(
                application
                        .withPropertyValues("belay.url=memory:options")
                        .withBean(BelayOptionsCustomizer.class, () -> options -> options.withLockDefaults(PATIENT)),
                PATIENT.lease());
    }

    @Test
    void aClientOfTheApplicationsOwnHasOptionsOfItsOwn() {
        assertLease(
                application.withBean(
                        Belay.class,
                        () -> Belay.connect(
                                "memory:options", BelayOptions.defaults().withLockDefaults(PATIENT))),
                PATIENT.lease());
    }
}
