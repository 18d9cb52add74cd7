package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The suite notices every mistake that a store could make. {@link SimulatedTckTest} runs the same tests on the same store
 * without a mistake, where all pass.
 */
@Tag("selftest")
class MutantsTest {
    @ParameterizedTest
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT) // most of it is waiting
    void isCaught(Mutant mutant) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        request()
                                .selectors(selectNestedMethod(List.of(MutatedTck.class), mutant.suite, mutant.test))
                                .configurationParameter(MutatedTck.PARAMETER, mutant.name())
                                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                .build(),
                        listener);
        TestExecutionSummary summary = listener.getSummary();
        assertThat(summary.getTestsStartedCount()).as("tests that were run").isEqualTo(1);
        assertThat(summary.getTestsFailedCount()).as("tests that failed").isEqualTo(1);
    }
}
