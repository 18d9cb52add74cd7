package io.belay.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Answer.State;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store says is looked at before anybody reckons with it: a token or a deadline must not overflow. */
class AnswerTest {
    private static final long LAST = Long.MAX_VALUE / 1024;

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, LAST + 1, Long.MAX_VALUE})
    void absurdNumbersAreNoAnswerAndNoPush(long absurd) {
        assertThatThrownBy(() -> new Answer(absurd, State.GRANTED, 1, 2, 0, 0, 2, 0, 0, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not an answer: time " + absurd);
        assertThatThrownBy(() -> new Answer(1, State.GRANTED, absurd, 2, 0, 0, 2, 0, 0, null))
                .hasMessageContaining("sequence");
        assertThatThrownBy(() -> new Answer(1, State.GRANTED, 1, absurd, 0, 0, 2, 0, 0, null))
                .hasMessageContaining("deadline");
        assertThatThrownBy(() -> new Answer(1, State.GRANTED, 1, 2, 0, 0, absurd, 0, 0, null))
                .hasMessageContaining("expiry");
        assertThatThrownBy(() -> new Push("x", new ClaimId(1, 1), absurd, true, false, 1, 2, 0))
                .hasMessageContaining("sequence");
        assertThatThrownBy(() -> new Push("x", new ClaimId(1, 1), 1, true, false, 1, absurd, 0))
                .hasMessageContaining("deadline");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, LAST})
    void allOthersAre(long number) {
        assertThat(new Answer(number, State.GRANTED, number, number, 0, 0, number, 0, 0, null).sequence())
                .isEqualTo(number);
        assertThat(new Push("x", new ClaimId(1, 1), number, true, false, number, number, 0).sequence())
                .isEqualTo(number);
    }
}
