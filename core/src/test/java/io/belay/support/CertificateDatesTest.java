package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateDatesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PKIX path validation failed: java.security.cert.CertPathValidatorException: validity check failed",
                "NotAfter: Sun Oct 11 17:33:23 UTC 2026",
                "NotBefore: Sun Oct 11 17:33:23 UTC 2026"
            })
    void whatHasExpiredIsCalledSo(String reason) {
        assertThat(CertificateDates.complaint(reason).orElseThrow())
                .startsWith("shows a certificate that has expired, or is not valid yet: renew it")
                .endsWith("(" + reason.replaceFirst("^PKIX.*: ", "") + ")");
    }

    @Test
    void otherReasonsAreOthers() {
        assertThat(CertificateDates.complaint("unable to find valid certification path to requested target"))
                .isEmpty();
    }
}
