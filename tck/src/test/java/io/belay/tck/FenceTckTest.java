package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.belay.fence.Fence;
import io.belay.tck.SlippingFence.Slip;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

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

    @ParameterizedTest
    @EnumSource
    void isCaught(Slip slip) {
        Suite.slip = slip;
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        request()
                                .selectors(selectClass(Suite.class))
                                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                .build(),
                        listener);
        List<String> failed = listener.getSummary().getFailures().stream()
                .map(failure -> failure.getTestIdentifier().getDisplayName())
                .toList();
        if (slip == Slip.NONE) {
            assertThat(listener.getSummary().getTestsSucceededCount()).isGreaterThan(7);
            assertThat(failed).isEmpty();
        } else {
            assertThat(failed).contains(slip.noticedBy + "()");
        }
    }
}
