package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.memory.MemoryStoreProvider;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The suite asks for no end that is farther than the longest lease of its store. */
class LongestLeaseTest {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** The farthest end that was asked for, in microseconds from the request on. */
    private static final AtomicLong FARTHEST = new AtomicLong();

    /** The suite on a store in memory that notes the ends. */
    static final class BriefTck extends StoreTck {
        @Override
        protected StoreSpec open() {
            String url = "memory:" + UUID.randomUUID();
            return new StoreSpec() {
                @Override
                public String url() {
                    return url;
                }

                @Override
                public boolean isShared() {
                    return false;
                }

                @Override
                public Duration longestLease() {
                    return LONGEST;
                }

                @Override
                public Belay connect(BelayOptions options) {
                    return Belay.connect((client, listener) -> noting(url, client, listener), options);
                }
            };
        }

        private static Store noting(String url, long client, Store.Listener listener) {
            Store store = new MemoryStoreProvider().open(url, client, listener);
            return (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                        if (arguments != null && arguments[0] instanceof Request.Fix fix) {
                            FARTHEST.accumulateAndGet(fix.lease(), Math::max);
                        }
                        return method.invoke(store, arguments);
                    });
        }
    }

    @Test
    void permitsAreHandedOnForNoLonger() {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        request()
                                .selectors(selectNestedMethod(
                                        List.of(BriefTck.class),
                                        StoreTck.Semaphores.class,
                                        "permitsThatAProcessHandsOnStayTakenUntilTheyAreGivenBack"))
                                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                .build(),
                        listener);
        assertThat(listener.getSummary().getFailures())
                .extracting(TestExecutionSummary.Failure::getException)
                .isEmpty();
        assertThat(listener.getSummary().getTestsSucceededCount()).isEqualTo(1);
        assertThat(FARTHEST).hasPositiveValue().hasValueLessThanOrEqualTo(LONGEST.toNanos() / 1_000);
    }
}
