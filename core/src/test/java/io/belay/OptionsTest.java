package io.belay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Options are values: equal if all of them are, and shown as they are. */
class OptionsTest {
    private static final Duration TIME = Duration.ofSeconds(7);

    @Test
    void ofALock() {
        LockOptions all = LockOptions.defaults();
        List<LockOptions> changed = List.of(
                all.withLease(TIME),
                all.withFixedLease(TIME),
                all.withMaxHold(TIME),
                all.withSlice(TIME),
                all.withStrictOrder(true),
                all.withBarging(false),
                all.withSticky(TIME));
        assertThat(changed).doesNotHaveDuplicates().doesNotContain(all);
        assertThat(all.withSticky(TIME)).isEqualTo(all.withSticky(TIME)).hasSameHashCodeAs(all.withSticky(TIME));
        assertThat(all).hasToString("LockOptions[lease=PT30S, strictOrder=false, barging=true]");
        assertThat(all.withFixedLease(TIME).withMaxHold(TIME).withSlice(TIME).withSticky(TIME))
                .hasToString("LockOptions[lease=PT30S, fixedLease=PT7S, maxHold=PT7S, slice=PT7S, strictOrder=false,"
                        + " barging=true, sticky=PT7S]");
    }

    @Test
    void aTimeThatIsOutOfRangeIsToldWithItsBounds() {
        assertThatThrownBy(() -> BelayOptions.defaults().withDeadlockCheck(Duration.ofMillis(-1)))
                .hasMessage("deadlockCheck is PT-0.001S, but must be zero, or from PT0.001S to PT8760H");
        assertThatThrownBy(() -> BelayOptions.defaults().withRequestTimeout(Duration.ZERO))
                .hasMessage("requestTimeout is PT0S, but must be from PT0.001S to PT8760H");
        assertThatThrownBy(() -> BelayOptions.defaults().withSpin(Duration.ofSeconds(1)))
                .hasMessage("spin is PT1S, but must be from PT0S to PT0.01S");
    }

    @Test
    void ofAClient() {
        BelayOptions all = BelayOptions.defaults();
        Executor executor = Runnable::run;
        List<BelayOptions> changed = List.of(
                all.withClientName("other"),
                all.withLockDefaults(LockOptions.defaults().withLease(TIME)),
                all.withRequestTimeout(TIME),
                all.withCallbackExecutor(executor),
                all.withPolling(Duration.ofMillis(100), 0.5),
                all.withSpin(Duration.ofMillis(7)),
                all.withConnectMode(ConnectMode.LATER));
        assertThat(changed).doesNotHaveDuplicates().doesNotContain(all);
        assertThat(all.withCallbackExecutor(executor)).isEqualTo(all.withCallbackExecutor(executor));
        assertThat(all.withPolling(Duration.ofMillis(100), 0.5))
                .hasToString(
                        "BelayOptions[clientName=belay, lockDefaults=" + LockOptions.defaults()
                                + ", requestTimeout=PT2S, polling=PT0.1S, pollingJitter=0.5, spin=PT0.0005S, slowWait=PT1S, deadlockCheck=PT1S, connectMode=REQUIRED]");
    }
}
