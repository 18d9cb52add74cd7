package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.ClaimId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndingsTest {
    private static final ClaimId ONE = ClaimId.of(1, 1);
    private static final ClaimId TWO = ClaimId.of(1, 2);
    private static final ClaimId THREE = ClaimId.of(1, 3);

    private final Endings endings = new Endings();

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE - 5})
    void claimsAreTakenOnceAsTheirTimeComes(long now) {
        endings.add(TWO, now + 10);
        endings.add(ONE, now + 10);
        endings.add(THREE, now + 5);
        assertThat(endings.take(now + 4)).isEmpty();
        assertThat(endings.take(now + 5)).containsExactly(THREE);
        assertThat(endings.take(now + 20)).containsExactly(ONE, TWO);
        assertThat(endings.take(now + 20)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE - 5})
    void ofTwoTimesOfAClaimTheSoonerOneCounts(long now) {
        endings.add(ONE, now + 10);
        endings.add(ONE, now + 15);
        endings.add(TWO, now + 10);
        endings.add(TWO, now + 5);
        assertThat(endings.take(now + 9)).containsExactly(TWO);
        assertThat(endings.take(now + 10)).containsExactly(ONE);
        assertThat(endings.take(now + 20)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 5})
    void aClaimThatWasLeftIsNotTaken(long now) {
        endings.add(ONE, now + 5);
        endings.add(TWO, now + 5);
        endings.remove(ONE);
        endings.remove(THREE);
        assertThat(endings.take(now + 5)).containsExactly(TWO);
    }
}
