package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Exactly one of three is so: lost for a reason, given back, or unsure. */
class LeaseLostExceptionTest {
    private final LeaseLostException.Builder told = LeaseLostException.of("stock", 7);

    @Test
    void withoutMoreItIsUnsure() {
        LeaseLostException unsure = told.withMessage("who knows");
        assertThat(unsure).hasMessage("who knows").hasNoCause();
        assertThat(unsure.name()).isEqualTo("stock");
        assertThat(unsure.token()).isEqualTo(7);
        assertThat(unsure.held()).isZero();
        assertThat(unsure.isUnsure()).isTrue();
        assertThat(unsure.isReleased()).isFalse();
        assertThat(unsure.reason()).isEmpty();
    }

    @Test
    void whatWasGivenBackIsNoLoss() {
        LeaseLostException released = told.lost(LossReason.EXPIRED)
                .released()
                .held(Duration.ofSeconds(3))
                .withMessage("too late");
        assertThat(released.isReleased()).isTrue();
        assertThat(released.isUnsure()).isFalse();
        assertThat(released.reason()).isEmpty();
        assertThat(released.held()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void aLossHasAReason() {
        LeaseLostException cause = told.lost(LossReason.CLOSED).withMessage("first");
        LeaseLostException forced = told.released().forcedBy("ada").cause(cause).withMessage("taken");
        assertThat(cause.reason()).contains(LossReason.CLOSED);
        assertThat(forced.reason()).contains(LossReason.FORCED);
        assertThat(forced.forcedBy()).contains("ada");
        assertThat(forced).hasCause(cause);
        assertThat(forced.isReleased()).isFalse();
        assertThat(forced.isUnsure()).isFalse();
    }
}
