package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the checks of a proof have in common. */
class ProofChecksTest extends ScriptHarness {
    /** Beside other work the machine does not let all run alike. */
    @ParameterizedTest
    @CsvSource({"0.4 0.9, 0.9", "0.5, 0.5", "0.4 0.3 0.4 0.9, unfair"})
    void ofThreeRunsOfTheHammerOneIsToBeFair(String shares, String told) throws Exception {
        copy("scripts/lib.sh", "scripts/lib.sh");
        copy("dist/src/share/java.sh", "dist/src/share/java.sh");
        Process process = start(Map.of("SHARES", shares), "bash", "-c", """
                . scripts/lib.sh
                dir=$PWD
                printf '%s\\n' $SHARES >shares
                cat >belay <<'STUB'
                #!/bin/sh
                echo >>runs
                printf '"acquisitionsPerSecond": 7\\n"leastShare": %s\\n' "$(sed -n "$(wc -l <runs) p" shares)"
                STUB
                chmod 755 belay
                hammers 0.5 file:locks >log && hammered || echo unfair
                """);
        assertThat(output(process)).endsWith(told + "\n");
    }

    /** Numbers, and what the system says, would be in it. */
    @Test
    void eachLeavesTheUsersLanguage() throws Exception {
        List<String> without = new ArrayList<>();
        try (DirectoryStream<Path> checks = Files.newDirectoryStream(Path.of("../scripts/checks"), "*.sh")) {
            for (Path check : checks) {
                if (!Files.readAllLines(check).contains("plain_locale")) {
                    without.add(check.toString());
                }
            }
        }
        assertThat(without).isEmpty();
    }
}
