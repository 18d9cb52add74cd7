package io.belay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Finding.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users learn of a store before they trust it with locks. */
class ExamineTest {
    @Test
    void aMemoryStoreSaysHowFarItReaches() {
        assertThat(BelayAdmin.examine("memory:x")).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.NOTE);
            assertThat(finding.finding()).contains("memory:x", "process", "tokens");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "memory:", "file:/x", "nix://u:secret@host", "memory:${BELAY_SURELY_NOT_SET}"})
    void whatCannotBeExaminedIsRefusedAsByConnect(String url) {
        assertThatThrownBy(() -> BelayAdmin.examine(url))
                .isExactlyInstanceOf(StoreMisconfiguredException.class)
                .hasMessageNotContaining("secret")
                .extracting(Throwable::getMessage)
                .isEqualTo(refusedByConnect(url));
    }

    private static String refusedByConnect(String url) {
        try (Belay belay = Belay.connect(url)) {
            throw new AssertionError(belay + " was connected");
        } catch (StoreMisconfiguredException e) {
            return e.getMessage();
        }
    }
}
