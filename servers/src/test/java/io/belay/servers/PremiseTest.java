package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PremiseTest {
    private final List<Long> leases = new ArrayList<>();

    @Test
    void aTestWhoseLeaseWasTooShortBeginsAgainWithALongerOne() throws Exception {
        Premise.withLease(Duration.ofMillis(500), lease -> {
            leases.add(lease.toMillis());
            Premise.check(lease.toMillis() > 2_000, "it is long");
        });
        assertThat(leases).containsExactly(500L, 1_500L, 4_500L);
    }

    @Test
    void thatHasAnEnd() {
        assertThatThrownBy(() -> Premise.withLease(Duration.ofMillis(500), lease -> {
                    leases.add(lease.toMillis());
                    Premise.check(false, "the lease is held");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the lease is held");
        assertThat(leases).containsExactly(500L, 1_500L, 4_500L, 13_500L, 40_500L);
    }

    @Test
    void aTryWithoutAnAnswerIsMadeAgainUnlessThereIsAReason() throws Exception {
        String silence = "The store did not answer in time, so it is not known who has the lock 'x'";
        List<String> failures = new ArrayList<>(List.of(silence, silence));
        assertThat(Premise.answered(() -> {
                    if (!failures.isEmpty()) {
                        throw new IllegalStateException(failures.remove(0));
                    }
                    return "taken";
                }))
                .isEqualTo("taken");
        assertThatThrownBy(() -> Premise.answered(() -> {
                    throw new IllegalStateException(silence + ": it has no memory left");
                }))
                .hasMessageEndingWith("left");
    }

    @Test
    void whatFailsFailsAtOnce() {
        assertThatThrownBy(() -> Premise.withLease(Duration.ofMillis(500), lease -> {
                    leases.add(lease.toMillis());
                    throw new AssertionError("broken");
                }))
                .hasMessage("broken");
        assertThat(leases).containsExactly(500L);
    }
}
