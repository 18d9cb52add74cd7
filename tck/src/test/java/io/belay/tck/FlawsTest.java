package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * What {@link MutantsTest} is for the rules of the model, for the services under a store: documents and nodes that other
 * processes reach, with a mistake in what they promise. Each test that is named for one must fail.
 */
@Tag("selftest")
class FlawsTest {
    /** Contests and races end with the first foul; on a busy machine that may take some time to come. */
    @BeforeAll
    static void raceForLonger() {
        System.setProperty(Contest.ENOUGH, "4000");
        System.setProperty(Race.ROUNDS, "40");
    }

    @AfterAll
    static void raceAsUsual() {
        System.clearProperty(Contest.ENOUGH);
        System.clearProperty(Race.ROUNDS);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void isCaught(Flaw flaw) {
        mustFail(flaw, flaw.noticedAtOnce());
    }

    @ParameterizedTest
    @MethodSource
    @Tag("long")
    void isCaughtByProcesses(Flaw flaw) {
        mustFail(flaw, flaw.noticedByProcesses());
    }

    static Stream<Flaw> isCaughtByProcesses() {
        return Stream.of(Flaw.values())
                .filter(flaw -> !flaw.noticedByProcesses().isEmpty());
    }

    private static void mustFail(Flaw flaw, List<Flaw.Notice> tests) {
        for (Flaw.Notice notice : tests) {
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            LauncherFactory.create()
                    .execute(
                            request()
                                    .selectors(
                                            selectNestedMethod(List.of(FlawedTck.class), notice.suite(), notice.test()))
                                    .configurationParameter(FlawedTck.SCHEME, notice.scheme())
                                    .configurationParameter(FlawedTck.FLAW, flaw.name())
                                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                    .build(),
                            listener);
            TestExecutionSummary summary = listener.getSummary();
            assertThat(summary.getTestsStartedCount()).as("tests that were run").isEqualTo(1);
            assertThat(summary.getTestsFailedCount())
                    .as("failures of %s", notice.test())
                    .isEqualTo(1);
        }
    }
}
