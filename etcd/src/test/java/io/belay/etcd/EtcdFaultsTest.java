package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Finding;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The versions that no server on this machine has. */
class EtcdFaultsTest {
    @ParameterizedTest
    @CsvSource({
        "3.3.25, WARNING NOTE NOTE NOTE",
        "3.4.21, WARNING WARNING NOTE NOTE NOTE",
        "3.4.23, WARNING NOTE NOTE NOTE",
        "3.4.31, NOTE NOTE NOTE",
        "3.4.39, NOTE NOTE",
        "3.4.42, NOTE",
        "3.5.0, DANGER WARNING WARNING NOTE NOTE",
        "3.5.2, DANGER WARNING WARNING NOTE NOTE",
        "3.5.3, WARNING WARNING NOTE NOTE",
        "3.5.5, WARNING WARNING WARNING NOTE NOTE",
        "3.5.6, WARNING NOTE NOTE",
        "3.5.12, WARNING NOTE NOTE",
        "3.5.13-rc.0, NOTE NOTE",
        "3.5.13, NOTE NOTE",
        "3.5.23, NOTE",
        "3.5.28, ''",
        "3.6.0, NOTE NOTE",
        "3.6.5, NOTE",
        "3.6.9, ''",
    })
    void aVersion(String version, String severities) {
        List<Finding> findings = EtcdFaults.of(Stream.of(version, version));
        assertThat(findings.stream().map(each -> each.severity().name()).collect(Collectors.joining(" ")))
                .isEqualTo(severities);
        assertThat(findings).allSatisfy(each -> assertThat(each.finding()).startsWith("etcd " + version + " "));
    }

    @ParameterizedTest
    @CsvSource({"3.4.41, true", "3.4.42, false", "3.5.27, true", "3.5.28, false", "3.6.8, true", "3.6.9, false"})
    void rightsThatAreNotChecked(String version, boolean told) {
        assertThat(EtcdFaults.of(Stream.of(version)).stream()
                        .anyMatch(each -> each.finding().contains("GHSA-rfx7-8w68-q57q")))
                .isEqualTo(told);
    }

    @Test
    void eachVersionOfAnEnsembleIsLookedAt() {
        assertThat(EtcdFaults.of(Stream.of("3.5.23", "3.6.9", "3.5.23", "3.5.24")))
                .extracting(Finding::finding)
                .extracting(sentence -> sentence.substring(0, 11))
                .containsExactly("etcd 3.5.23", "etcd 3.5.24");
    }
}
