package io.belay.flashsale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a fault has shown nothing, and what is said then. */
class FaultTest {
    private static final Optional<Duration> AFTER = Optional.of(Duration.ofSeconds(2));

    private static Optional<Fault> kill(int unitsLeft) {
        return Optional.of(new Fault(Fault.Kind.KILLED, "node-1", false, 2.5, unitsLeft, 0, false));
    }

    private static Optional<String> shortcoming(Optional<Duration> after, Optional<Fault> kill) {
        return Fault.shortcoming(Fault.Kind.KILLED, after, kill);
    }

    @Test
    void aKillWithUnitsLeftHasShownSomething() {
        assertThat(shortcoming(AFTER, kill(1))).isEmpty();
        assertThat(shortcoming(Optional.empty(), Optional.empty())).isEmpty();
    }

    /** The search for the holder takes a moment, in which the last unit may go. */
    @Test
    void aKillWithNoneLeftIsNoKillThatDidNotCome() {
        assertThat(shortcoming(AFTER, kill(0)))
                .contains("node-1 was killed with 0 units left; use more --stock and --orders, or a shorter time");
        assertThat(shortcoming(AFTER, Optional.empty()))
                .contains(
                        "no node was killed: no units were left to sell, or no node to sell them, after 2000 ms; use more"
                                + " --stock and --orders, or a shorter time");
    }

    /** It wrote what was still true: with and without the guard the end is the same. */
    @Test
    void aPauseThatNobodyElseUsedHasShownNothing() {
        Fault pause = new Fault(Fault.Kind.PAUSED, "node-1", true, 2.5, 7, 0, false);
        assertThat(Fault.shortcoming(Fault.Kind.PAUSED, AFTER, Optional.of(pause)))
                .contains("node-1 was paused, and no other had the lock before it went on; use more --clients, and on"
                        + " ZooKeeper a shorter session-timeout");
        assertThat(Fault.shortcoming(Fault.Kind.PAUSED, AFTER, Optional.of(pause.withPassedOn())))
                .isEmpty();
    }
}
