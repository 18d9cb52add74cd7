package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.belay.fence.Fence;
import io.belay.tck.SlippingFence.Slip;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The suite of fences passes one that is right, and notices each mistake that is planted in it. */
class FenceTckTest {
    /** The suite on the fence of the test that runs. Nobody else runs it, as its name is none of a test. */
    static final class Suite extends FenceTck<SlippingFence.Writer, RuntimeException> {
        static Slip slip = Slip.NONE;

        @Override
        protected FenceSpec<SlippingFence.Writer, RuntimeException> open() {
            SlippingFence fence = new SlippingFence(slip);
            return new FenceSpec<>() {
                @Override
                public Fence<SlippingFence.Writer, RuntimeException> fence() {
                    return fence;
                }

                @Override
                public long read() {
                    return fence.value();
                }

                @Override
                public void write(SlippingFence.Writer writer, long value) {
                    writer.write(value);
                }

                @Override
                public void writeUnguarded(long value) {
                    fence.overwrite(value);
                }

                @Override
                public void close() {}
            };
        }
    }

    @Test
    void passesOneThatIsRight() {
        TestExecutionSummary summary = run(Slip.NONE, selectClass(Suite.class));
        assertThat(summary.getTestsSucceededCount()).isGreaterThan(7);
        assertThat(summary.getFailures()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void isCaught(Slip slip) {
        System.setProperty(Race.ROUNDS, "40"); // on a busy machine it may take some time until both meet
        try {
            TestExecutionSummary summary = run(slip, selectMethod(Suite.class, slip.noticedBy));
            assertThat(summary.getTestsFailedCount()).isEqualTo(1);
        } finally {
            System.clearProperty(Race.ROUNDS);
        }
    }

    private static TestExecutionSummary run(Slip slip, DiscoverySelector tests) {
        Suite.slip = slip;
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        request()
                                .selectors(tests)
                                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                .build(),
                        listener);
        return listener.getSummary();
    }
}
