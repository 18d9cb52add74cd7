package io.belay.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsRefusalTest {
    private static final TlsRefusal BY_FILES =
            new TlsRefusal("/etc/ca.pem", "write plain://", ", or check no names", "check the file that cert= names");

    private static final TlsRefusal BY_THE_JVM = new TlsRefusal(null, "write plain://", "", "name a file by cert=");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    not an SSL/TLS record: 2d45 | does not speak TLS there: write plain://
                    Unsupported or unrecognized SSL message (plaintext connection?) | does not speak TLS there: write plain://
                    unable to find valid certification path to it | shows a certificate that no certificate in /etc/ca.pem has signed: name the file of its CA by ca=
                    Path does not chain with any of the trust anchors | shows a certificate that no certificate in /etc/ca.pem has signed: name the file of its CA by ca=
                    No name matching b found | shows a certificate for another host: connect by a name in it, or check no names (No name matching b found)
                    No subject alternative names present | shows a certificate for another host: connect by a name in it, or check no names (No subject alternative names present)
                    Received fatal alert: bad_certificate | broke off the TLS handshake: check the file that cert= names (Received fatal alert: bad_certificate)
                    NotAfter: 11 Oct | shows a certificate that has expired, or is not valid yet: renew it, or set this machine's clock right (NotAfter: 11 Oct)
                    something else | failed in the TLS handshake: something else
                    """)
    void eachReasonHasItsCure(String reason, String words) {
        assertThat(BY_FILES.words(reason)).isEqualTo(words);
    }

    @Test
    void whereNoFileIsNamedTheJvmTrusts() {
        assertThat(BY_THE_JVM.words("unable to find valid certification path to it"))
                .isEqualTo("shows a certificate that the JVM does not trust: name the file of its CA by ca=");
        assertThat(BY_THE_JVM.words("No name matching b found"))
                .isEqualTo("shows a certificate for another host: connect by a name in it (No name matching b found)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PKIX path validation failed: java.security.cert.CertPathValidatorException: validity check failed",
                "NotAfter: Sun Oct 11 17:33:23 UTC 2026",
                "NotBefore: Sun Oct 11 17:33:23 UTC 2026"
            })
    void whatHasExpiredIsCalledSo(String reason) {
        assertThat(TlsRefusal.outOfDate(reason).orElseThrow())
                .startsWith("shows a certificate that has expired, or is not valid yet: renew it")
                .endsWith("(" + reason.replaceFirst("^PKIX.*: ", "") + ")");
    }

    @Test
    void otherReasonsAreOthers() {
        assertThat(TlsRefusal.outOfDate("unable to find valid certification path to requested target"))
                .isEmpty();
    }
}
