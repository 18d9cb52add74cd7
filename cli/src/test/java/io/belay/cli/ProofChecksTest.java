package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** Else all would wait for it, and the checks behind it were never run. */
    @Test
    void aCheckThatHangsHasFailedAndTheNextOneIsRun() throws Exception {
        copy("scripts/lib.sh", "scripts/lib.sh");
        copy("dist/src/share/java.sh", "dist/src/share/java.sh");
        Process process = start(Map.of(), "bash", "-c", """
                . scripts/lib.sh
                hangs() {
                  sh -c 'echo $$ >begun; sleep 600' &
                  until [ -s begun ]; do sleep 0.1; done
                  echo told
                  wait
                }
                BELAY_CHECK_SECONDS=10 check one hangs
                check two test -s begun
                check three sh -c '! grep -q "^State:.[^Z]" "/proc/$(cat begun)/status"'
                check four sh -c 'exit 4'
                echo "$failures failures"
                """);
        assertThat(output(process))
                .isEqualTo("FAIL  one\n      told\n      It has not ended within 10 s, and was ended.\n"
                        + "PASS  two\nPASS  three\nFAIL  four\n      \n2 failures\n");
    }

    /** A machine that is busy enough keeps a trial from ending in good order; a broken promise is told at once. */
    @ParameterizedTest
    @CsvSource({
        "1:client 3.0 did not end;0:, 0 after 2",
        "1:client 3.0 ended with 134;0:, 1 after 1",
        "4:nothing was shown;1:client 3.0 did not end;0:, 0 after 3",
        "4:;4:;4:;0:, 4 after 3",
        "'1:    1 x a waiter did not proceed, the first after 1.0 s, such as;0:', 1 after 1",
        "2:no store 'x';0:, 2 after 1"
    })
    void aTrialThatHasShownNothingIsMadeAgain(String runs, String ended) throws Exception {
        copy("scripts/lib.sh", "scripts/lib.sh");
        copy("dist/src/share/java.sh", "dist/src/share/java.sh");
        Process process = start(Map.of("RUNS", runs), "bash", "-c", """
                . scripts/lib.sh
                mkdir trials
                cat >trials/run <<'STUB'
                #!/bin/sh
                echo >>"$1"
                run=$(echo "$RUNS" | tr ';' '\n' | sed -n "$(wc -l <"$1") p")
                echo "${run#*:}" >&2
                exit "${run%%:*}"
                STUB
                chmod 755 trials/run
                trial begun >log
                echo "$? after $(wc -l <begun)"
                """);
        assertThat(output(process)).isEqualTo(ended + "\n");
    }

    /** As where a list of what is to be checked is read from a file that has another layout now. */
    @Test
    void whoHasCheckedNothingHasFailed() throws Exception {
        copy("scripts/lib.sh", "scripts/lib.sh");
        copy("dist/src/share/java.sh", "dist/src/share/java.sh");
        Process process = start(Map.of(), "bash", "-c", ". scripts/lib.sh; end_checks");
        assertThat(output(process)).isEqualTo("No check was made.\n");
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(start(Map.of(), "bash", "-c", ". scripts/lib.sh; check one true; end_checks")
                        .waitFor())
                .isZero();
    }

    /** Functions of a script of checks, without what it does. */
    private String functions(String check, String... names) {
        return ". scripts/lib.sh; eval \"$(sed -n '"
                + Stream.of(names)
                        .map(name -> "/^" + name + "() { .*}$/p; /^" + name + "() {$/,/^}/p; ")
                        .collect(Collectors.joining())
                + "' checks/" + check + ")\"\n";
    }

    private void copyCheck(String check) throws Exception {
        copy("scripts/lib.sh", "scripts/lib.sh");
        copy("dist/src/share/java.sh", "dist/src/share/java.sh");
        copy("scripts/checks/" + check, "checks/" + check);
    }

    /** As by a word that is wrong, and not by what cannot be run at all. */
    @ParameterizedTest
    @CsvSource({
        "'echo belay: building... >&2; echo simulate: no; exit 2', 0",
        "'echo simulate: no; exit 1', 1",
        "'echo Permission denied; exit 126', 1",
        "'echo simulate: no; echo and a run; exit 2', 1"
    })
    void aRefusalIsThatLineAndTwo(String simulate, int ended) throws Exception {
        copyCheck("40-simulation.sh");
        Process process = start(
                Map.of("SIMULATE", simulate),
                "bash",
                "-c",
                functions("40-simulation.sh", "refuses")
                        + "mkdir trials; printf '#!/bin/sh\\n%s\\n' \"$SIMULATE\" >trials/simulate; chmod 755 trials/simulate;"
                        + " refuses 'simulate: no' --seed x");
        assertThat(output(process)).contains("exit code");
        assertThat(process.waitFor()).isEqualTo(ended);
    }

    /** It may have been renamed, to a longer word. */
    @ParameterizedTest
    @CsvSource({"--seeds N, 1", "--seed-file F, 1", "--seed N, 0", "--seed, 0", "[--seed=N], 0"})
    void aLongerOptionIsNotTheOneThatIsShown(String help, int ended) throws Exception {
        copyCheck("70-site.sh");
        Files.writeString(directory.resolve("help"), help + "\n");
        Process process = start(
                Map.of(), "bash", "-c", functions("70-site.sh", "has_option") + "has_option --seed /dev/null help");
        assertThat(output(process)).isEmpty();
        assertThat(process.waitFor()).isEqualTo(ended);
    }

    /** On a quick machine all may be sold before the server is struck: then the strike shows nothing. */
    @ParameterizedTest
    @CsvSource({
        // The lines before the strike and after it, of each sale.
        "'20|60', 0 of 100 struck once",
        "'100|', '0, but nothing befell it of 400 struck 3 times'",
        "'20|', '0, but nothing befell it of 400 struck 3 times'",
        "'20|100', 0 of 200 struck twice"
    })
    void aSaleThatWasStruckTooLateIsMadeAgain(String sales, String told) throws Exception {
        copyCheck("20-redis.sh");
        Process process =
                start(Map.of("SALES", sales), "bash", "-c", functions("20-redis.sh", "sale", "struck_sale") + """
                        dir=$PWD port=1
                        cat >belay <<'STUB'
                        #!/bin/bash
                        echo >>runs
                        sale=$(tr ';' '\n' <<<"$SALES" | head -n "$(wc -l <runs)" | tail -n 1)
                        for sold in ${sale%|*}; do echo "[##] 9 of 9: $sold sold, 0 sold out, 1/s" >&2; done
                        until [ "$(wc -l <struck)" = "$(wc -l <runs)" ]; do sleep 0.05; done
                        for sold in ${sale#*|}; do echo "[##] 9 of 9: $sold sold, 0 sold out, 1/s" >&2; done
                        STUB
                        chmod 755 belay
                        touch struck
                        strikes() { echo >>struck; }
                        struck_sale strikes 100
                        case $(wc -l <struck) in 1) times=once ;; 2) times=twice ;; *) times="$(wc -l <struck) times" ;; esac
                        echo "$code of $stock struck $times"
                        """);
        assertThat(output(process)).isEqualTo(told + "\n");
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
