package io.belay.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientVersionTest {
    @Test
    void buildWritesTheVersion() {
        assertThat(ClientVersion.label()).matches("belay/\\d+\\.\\d+\\.\\d+(-\\w+)?");
    }

    @Test
    void clientsOfOneVersionAreFine() {
        assertThat(ClientVersion.others(List.of(ClientVersion.label(), "belay", "", "other/9.9.9", "belay/ x")))
                .isEmpty();
    }

    @Test
    void otherVersionsAreNamedOnce() {
        Finding finding = ClientVersion.others(
                        List.of("belay/9.9.9", ClientVersion.label(), "belay/0.0.1", "belay/9.9.9"))
                .orElseThrow();
        assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
        assertThat(finding.finding())
                .startsWith("Clients of Belay 0.0.1, 9.9.9 are connected, and this is "
                        + ClientVersion.label().substring("belay/".length()) + ":");
    }
}
