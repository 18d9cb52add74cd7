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
        assertThatThrownBy(
                        () -> Answer.of(State.GRANTED, absurd).withClaim(1, 2).withQueue(2, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not an answer: time " + absurd);
        assertThatThrownBy(
                        () -> Answer.of(State.GRANTED, 1).withClaim(absurd, 2).withQueue(2, 0))
                .hasMessageContaining("sequence");
        assertThatThrownBy(
                        () -> Answer.of(State.GRANTED, 1).withClaim(1, absurd).withQueue(2, 0))
                .hasMessageContaining("deadline");
        assertThatThrownBy(() -> Answer.of(State.GRANTED, 1).withClaim(1, 2).withQueue(absurd, 0))
                .hasMessageContaining("expiry");
        assertThatThrownBy(() -> Push.granted("x", ClaimId.of(1, 1), absurd, 1, 2))
                .hasMessageContaining("sequence");
        assertThatThrownBy(() -> Push.granted("x", ClaimId.of(1, 1), 1, 1, absurd))
                .hasMessageContaining("deadline");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, LAST})
    void allOthersAre(long number) {
        assertThat(Answer.of(State.GRANTED, number)
                        .withClaim(number, number)
                        .withQueue(number, 0)
                        .sequence())
                .isEqualTo(number);
        assertThat(Push.granted("x", ClaimId.of(1, 1), number, number, number).sequence())
                .isEqualTo(number);
    }
}
