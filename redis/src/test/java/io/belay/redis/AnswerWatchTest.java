package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a server counts as silent, in looks of which four make the time limit. */
class AnswerWatchTest {
    private static final int LIMIT = 4;

    private final AnswerWatch watch = new AnswerWatch();

    private int looksUntilSilent(int most) {
        for (int looks = 1; looks <= most; looks++) {
            if (watch.isSilent()) {
                return looks;
            }
        }
        return Integer.MAX_VALUE;
    }

    @Test
    void aQuestionWithoutAnAnswerIsNoticedAfterTheLimitAndAQuarterOfIt() {
        assertThat(watch.isSilent()).isFalse();
        watch.asked();
        assertThat(looksUntilSilent(100)).isEqualTo(LIMIT + 1);
    }

    /** The connection works until just before; then the engine asks again what it asked in vain. */
    @Test
    void aQuestionRightBehindAnAnswerIsNoticedAfterTheLimitAndAHalfOfIt() {
        watch.asked();
        watch.heard();
        watch.asked();
        assertThat(watch.isSilent()).isFalse();
        watch.asked();
        assertThat(looksUntilSilent(100)).isEqualTo(LIMIT + 1);
    }

    @Test
    void anAnswerJustBeforeTheLimitBeginsAnew() {
        watch.asked();
        for (int i = 0; i < 3; i++) {
            assertThat(looksUntilSilent(LIMIT)).isEqualTo(Integer.MAX_VALUE);
            watch.heard();
            assertThat(watch.isSilent()).isFalse();
            watch.asked();
        }
        assertThat(looksUntilSilent(100)).isEqualTo(LIMIT + 1);
    }

    @Test
    void whatIsKnownToBeOpenNeedsNotBeAskedAgain() {
        watch.asked();
        watch.heard();
        watch.asked(); // of what the answer was to is not known
        for (int i = 0; i <= LIMIT; i++) {
            assertThat(watch.isSilent(true)).isFalse();
        }
        assertThat(watch.isSilent(true)).isTrue();
    }

    @Test
    void whoIsAskedNothingIsNotSilent() {
        watch.asked();
        watch.heard();
        assertThat(looksUntilSilent(100)).isEqualTo(Integer.MAX_VALUE);
    }
}
