package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.spring.LockNotAcquiredException;
import io.belay.spring.Locked;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What the start says of failures that are none of the start. */
class FailureAnalyzersTest {
    /** Work that is begun by a runner, say. */
    public static class Work {
        @Locked(value = "work", longestWait = "0s")
        public void run() {}
    }

    @Test
    void aLockThatIsNotHadIsNotToldAsAStoreThatCannotBeUsed() {
        // Those that want arguments are Spring Boot's.
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, failure) -> {}));
        assertThat(analyzers).hasAtLeastOneElementOfType(SetupFailureAnalyzer.class);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BelayAutoConfiguration.class))
                .withBean(Work.class)
                .withPropertyValues("belay.url=memory:runner")
                .run(context -> {
                    try (Belay other = Belay.connect("memory:runner");
                            Lease held = other.lock("work").acquire()) {
                        Throwable failure = catchThrowable(context.getBean(Work.class)::run);
                        assertThat(failure)
                                .isInstanceOf(LockNotAcquiredException.class)
                                .hasMessageContaining(held.name());
                        assertThat(analyzers)
                                .allSatisfy(
                                        any -> assertThat(any.analyze(failure)).isNull());
                    }
                });
    }
}
