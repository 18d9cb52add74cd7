package io.belay.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.LockMode;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.internal.claim.Shown;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a client says of a wait that is slow. */
class ReportTextTest {
    private static String of(int holds) {
        OwnWait wait = new Shown.Wait("x", LockMode.EXCLUSIVE, 1, "#23", "order 7", Duration.ofMillis(1_234));
        List<OwnHold> held = IntStream.range(0, holds)
                .<OwnHold>mapToObj(
                        i -> new Shown.Hold("h" + i, LockMode.EXCLUSIVE, 1, i, "#23", "", Duration.ZERO, Duration.ZERO))
                .toList();
        return ReportText.of(new Shown.LongWait(wait, List.of(), held), true, "");
    }

    @Test
    void itNamesWhoWaitsAndWhatThatHolds() {
        assertThat(of(2))
                .isEqualTo(
                        "thread #23 for order 7 has waited for the lock 'x' for 1234 ms. Nobody has it. The waiter itself"
                                + " holds 'h0' (token 0), 'h1' (token 1)");
    }

    @Test
    void itSaysWhyTheStoreDoesNotAnswer() {
        OwnWait wait = new Shown.Wait("x", LockMode.EXCLUSIVE, 1, "#23", "", Duration.ofMillis(1_234));
        assertThat(ReportText.of(new Shown.LongWait(wait, List.of(), List.of()), true, ": no space left on device"))
                .endsWith("Nobody has it. Its request is not answered: no space left on device");
    }

    @Test
    void itNamesTenAndCountsTheOthers() {
        assertThat(of(5_000)).endsWith("'h9' (token 9) and 4,990 more").hasSizeLessThan(400);
    }
}
