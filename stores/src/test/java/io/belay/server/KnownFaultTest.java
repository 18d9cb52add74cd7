package io.belay.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownFaultTest {
    private static final List<KnownFault> KNOWN = List.of(
            new KnownFault(Severity.DANGER, "3.5.0", "3.5.3", "forgets.", "Use 3.5.13."),
            new KnownFault(Severity.NOTE, "0", "3.5", "is old.", "Use a newer one."));

    @ParameterizedTest
    @CsvSource({
        "3.4.99, NOTE",
        "3.4, NOTE",
        "2, NOTE",
        "3.5.0, DANGER",
        "3.5, DANGER",
        "3.5.2-rc.1, DANGER",
        "'3.5.2 (Debian 3.5.2-1)', DANGER",
        "3.5.3, ''",
        "3.10.1, ''",
        "10, ''",
        "'', ''",
        "main, ''",
        "99999999999.1, ''",
    })
    void aVersionHasTheFaultsFromOneToBeforeAnother(String version, String expected) {
        assertThat(KnownFault.in("X", version, KNOWN))
                .extracting(Finding::severity)
                .extracting(Severity::name)
                .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected));
    }

    @Test
    void aFindingNamesTheProductAndItsVersion() {
        assertThat(KnownFault.in("X", "3.5.1", KNOWN))
                .containsExactly(Finding.of(Severity.DANGER, "version", "X 3.5.1 forgets.", "Use 3.5.13."));
    }
}
