package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of a checkout, up to where they start Java. */
class ScriptTest extends ScriptHarness {
    /** A process that notes that it has begun, and ends by itself when Ctrl-C comes, as Java does, with such a code. */
    private static final String ENDS_BY_ITSELF =
            "bash -c 'trap \"exit %d\" INT; echo >begun; while :; do sleep 0.1; done'";

    /** With an exported CDPATH {@code cd} prints where it has come to. */
    @ParameterizedTest
    @CsvSource({
        "../dist/src/bin/belay, bin/belay, share/java.sh, belay_home",
        "../belay, belay, scripts/lib.sh, belay_root"
    })
    void itFindsWhatLiesBesideIt(Path script, String called, String beside, String variable) throws Exception {
        Path home = directory.toRealPath().resolve("home");
        Files.createDirectories(home.resolve(called).getParent());
        Files.createDirectories(home.resolve(beside).getParent());
        Files.copy(script, home.resolve(called));
        Files.writeString(home.resolve(beside), "printf '%s\\n' \"$" + variable + "\"; exit\n");
        Process process = start(Map.of("CDPATH", ".:/usr"), "bash", "home/" + called, "locks");
        assertThat(output(process)).isEqualTo(home + "\n");
    }

    /** As it is by bash once another process has got the same number. */
    @Test
    void howAPartEndedIsKnownThoughItsProcessIsForgotten() throws Exception {
        copyProof(":");
        Process process = start(
                Map.of(),
                "bash",
                "-c",
                "eval \"$(sed -n '/^kept() (/,/^)/p; /^join() {/,/^}/p' verify)\"; echo told >log;"
                        + " kept \"$PWD/log\" sh -c 'exit 3' & part=$!; wait; join $part log; echo $?");
        assertThat(output(process)).isEqualTo("told\n3\n");
    }

    /** Beside busy loops what is nice is hardly run, and all wait for it in the end. */
    @Test
    void whatAllWaitForIsHurriedWithAllThatItHasStarted() throws Exception {
        copyProof(":");
        Process process = start(
                Map.of(),
                "bash",
                "-c",
                "[ \"$(id -u)\" = 0 ] || exec echo root alone may; eval \"$(sed -n '/^hurry() {/,/^}/p' verify)\";"
                        + " mkfifo begun; nice -n 19 sh -c 'sleep 600 & echo $! >begun; wait' & part=$!; child=$(cat begun);"
                        + " of() { ps -o ni= -p $part,$child | xargs; }; of; hurry $part; [ \"$(of)\" = \"$(nice) $(nice)\" ] && echo as all;"
                        + " kill $child; wait");
        assertThat(output(process)).isIn("19 19\nas all\n", "root alone may\n");
    }

    /** 1 says that a promise is broken. */
    @Test
    void aSimulationThatCannotBeBuiltBreaksNoPromise() throws Exception {
        copyProof(":");
        copy("trials/simulate", "trials/simulate");
        Files.createFile(directory.resolve("target"));
        Process process = start(PROOF, "bash", "trials/simulate");
        assertThat(output(process))
                .endsWith("target cannot be written to: build as the user whose it is, or in a clone of your own\n");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    /** Whoever may write anywhere calls it as somebody else. */
    @Test
    void aBuildOfOthersIsUsedAsItIs() throws Exception {
        copy("dist/src/share/java.sh", "dist/src/share/java.sh");
        copy("scripts/lib.sh", "scripts/lib.sh");
        append("scripts/lib.sh", "archive_classes() { echo trained; }\n");
        Path dist = directory.resolve("cli/target/dist");
        Files.createDirectories(dist.resolve("lib"));
        start(Map.of(), "chmod", "-R", "go+rX", directory.toString()).waitFor(); // whatever the umask
        Files.setPosixFilePermissions(dist, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            Process process = start(
                    Map.of(),
                    "bash",
                    "-c",
                    asNobody("bash -ec '. scripts/lib.sh; archive_classes_once; echo went on'"));
            assertThat(output(process)).isEqualTo("went on\n");
        } finally {
            Files.setPosixFilePermissions(dist, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static String asNobody(String call) {
        return "[ \"$(id -u)\" != 0 ] || other='setpriv --reuid=65534 --regid=65534 --clear-groups'; exec ${other-} "
                + call;
    }

    /** Without a program its tests are skipped, and Maven says nothing of it. */
    @Test
    void aProofSaysWhatAMissingProgramKeptItFrom() throws Exception {
        copyProof(":");
        Process process = start(PROOF, "bash", "-c", "./verify --soak");
        assertThat(output(process))
                .contains("etcd is missing: install it")
                .contains("\nSKIP     0 s  Tests that use etcd, which is missing\n")
                .containsPattern("\nPASS +\\d+ s  Soak\n");
        assertThat(process.waitFor()).isZero();
    }

    /** Maven and what it starts hear of no signal that this process alone is sent. */
    @ParameterizedTest
    @CsvSource({"--soak, 1", "--no-install, 3"})
    void whatAProofHasBegunEndsWithIt(String option, int atOnce) throws Exception {
        copyProof("case \" $* \" in *' test '*) echo \"$BASHPID\" >>\"$root/tests\" && exec sleep 600 ;; esac");
        Path tests = Files.createFile(directory.resolve("tests"));
        Process process = start(PROOF, "bash", "-c", "exec ./verify " + option);
        try {
            Awaitility.await().until(() -> Files.readAllLines(tests).size() >= atOnce);
            process.destroy();
            process.waitFor();
            Awaitility.await().until(() -> Files.readAllLines(tests).stream().noneMatch(ScriptTest::runs));
        } finally {
            process.destroyForcibly();
            for (String number : Files.readAllLines(tests)) {
                ProcessHandle.of(Long.parseLong(number)).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** Two would delete each other's logs, and build what the other tests. */
    @Test
    void thereIsOneProofAtATime() throws Exception {
        copyProof("case \" $* \" in *' test '*) until [ -e go ]; do sleep 0.1; done ;; esac");
        Process first = start(PROOF, "bash", "-c", "./verify --soak");
        Awaitility.await().until(() -> Files.exists(directory.resolve("target/verify/soak.log")));
        try {
            Process second = start(PROOF, "bash", "-c", "./verify --soak");
            assertThat(second.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(output(second))
                    .startsWith("belay: verify: another one runs here")
                    .containsOnlyOnce("\n");
            assertThat(second.exitValue()).isEqualTo(2);
        } finally {
            Files.createFile(directory.resolve("go"));
        }
        assertThat(output(first)).endsWith("\nverify: PASS\n");
        assertThat(first.waitFor()).isZero();
    }

    /** They would delete each other's logs, and build what the other tests. */
    @ParameterizedTest
    @ValueSource(strings = {"scripts/repeat SomeTest 1", "./verify --soak"})
    void testsAreNotRepeatedBesideOthers(String call) throws Exception {
        copyRepeat("until [ -e go ]; do sleep 0.1; done");
        Process first = start(PROOF, "bash", "-c", "scripts/repeat SomeTest 1");
        Awaitility.await().until(() -> Files.exists(directory.resolve("target/repeat/build.log")));
        try {
            Process second = start(PROOF, "bash", "-c", call);
            assertThat(second.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(output(second)).contains(": another one runs here").containsOnlyOnce("\n");
            assertThat(second.exitValue()).isEqualTo(2);
        } finally {
            Files.createFile(directory.resolve("go"));
        }
        assertThat(output(first)).endsWith("\n0 of 1 runs failed\n");
    }

    /** As bash takes for one to the base of eight. */
    @Test
    void aNumberMayBeginWithNought() throws Exception {
        copyRepeat(":");
        Process process = start(PROOF, "bash", "-c", "scripts/repeat SomeTest 08 --busy 00");
        assertThat(output(process)).contains("\n   8  PASS ").endsWith("\n0 of 8 runs failed\n");
    }

    @Test
    void aProofIsFoundThroughALink() throws Exception {
        copyProof(":");
        Process process = start(PROOF, "bash", "-c", "mkdir bin; ln -s ../verify bin/proof; bin/proof --help");
        assertThat(output(process)).startsWith("Usage: ./verify ");
    }

    /** Maven ends with 0 though a test has failed: the log tells of it. */
    @Test
    void aProofWithoutItsLogHasFailed() throws Exception {
        copyProof(
                "case \" $* \" in *' test '*) echo '[ERROR] x'; until [ -s target/verify/soak.log ]; do sleep 0.1; done;"
                        + " rm -r target/verify ;; esac");
        Process process = start(PROOF, "bash", "-c", "./verify --soak");
        assertThat(output(process)).endsWith("\nverify: FAIL\n");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    /** As where the user's settings have Maven skip all tests, or a server is not to be had: it ends with 0. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[INFO] Tests are skipped.",
                "[WARNING] Tests run: 12, Failures: 0, Errors: 0, Skipped: 12, Time elapsed: 1 s -- in x.SomeTest"
            })
    void aProofThatHasRunNoTestHasFailed(String told) throws Exception {
        copyProof(":");
        append("scripts/lib.sh", "ran() { echo '" + told + "'; }\n");
        Process process = start(PROOF, "bash", "-c", "./verify --soak");
        assertThat(output(process)).endsWith("\nverify: FAIL\n");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    /** A program may be there, and not the version that was asked for, or a right to use it. */
    @Test
    void aProofSaysWhatTestsWereKeptFrom() throws Exception {
        copyProof("cp skipped.xml x/target/surefire-reports/TEST-x.xml");
        Files.writeString(directory.resolve("skipped.xml"), """
                <testcase name="a"><skipped message="Assumption failed: may not mount" type="x"><![CDATA[x]]></skipped></testcase>
                <testcase name="b"><skipped message="takes long"/></testcase>
                <testcase name="c"><skipped message="Assumption failed: the store keeps no queue" type="x"/></testcase>
                <testcase name="d"><skipped message="Assumption failed: may not mount" type="x"/></testcase>
                <testcase name="e"><skipped/></testcase>
                """);
        Process process = start(PROOF, "bash", "-c", "./verify --soak");
        assertThat(output(process))
                .containsPattern("(?m)^Tests that were skipped, and why:\n +2 may not mount\n +1 without a word\n$");
    }

    /** A store that is wrong now and then passes with luck, where the machine is an excuse. */
    @Test
    void aProofSaysWhichContractTestsWereExcusedAgainAndAgain() throws Exception {
        copyProof(":");
        append("scripts/lib.sh", """
                ran() {
                  echo '[INFO] Tests run: 3, Failures: 0'
                  for test in ATckTest.once ATckTest.twice MutatedTck.x ATckTest.twice MutatedTck.x; do
                    echo "$test: not so, with leases of PT2S: it is held; again"
                  done
                }
                """);
        Process process = start(PROOF, "bash", "-c", "./verify --soak");
        assertThat(output(process))
                .contains("\nContract tests that began again more than once, as the machine stood still:\n"
                        + "      2 ATckTest.twice\n")
                .doesNotContainPattern("\\d (ATckTest.once|MutatedTck)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[INFO] Tests are skipped.",
                "Tests run: 2, Failures: 0, Errors: 0, Skipped: 2, Time elapsed: 1 s"
            })
    void whatWasNotRunIsNotRepeated(String told) throws Exception {
        copyRepeat(":");
        append("scripts/lib.sh", "ran() { echo '" + told + "'; }\n");
        Process process = start(PROOF, "bash", "-c", "scripts/repeat SomeTest 2");
        assertThat(output(process))
                .endsWith("repeat: no test was run, or all were skipped: see target/repeat/run-1.log\n");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    @Test
    void ofSeveralTestsOfANameOneHasToBeNamed() throws Exception {
        copyRepeat(":");
        Files.createDirectories(directory.resolve("examples/y/src/test/java"));
        Files.createFile(directory.resolve("examples/y/src/test/java/SomeTest.java"));
        Process unclear = start(PROOF, "bash", "-c", "scripts/repeat SomeTest 1");
        assertThat(output(unclear))
                .isEqualTo("belay: repeat: several modules have a test called SomeTest, say which:"
                        + " examples/y/SomeTest, x/SomeTest\n");
        assertThat(unclear.waitFor()).isEqualTo(2);
        Process named = start(PROOF, "bash", "-c", "scripts/repeat x/SomeTest#one 1");
        assertThat(output(named)).endsWith("\n0 of 1 runs failed\n");
    }

    /** The checks of a proof install beside each other what they need. */
    @Test
    void noServiceIsStartedWhileAnotherInstallationEnds() throws Exception {
        copyProof(":");
        Process process = start(PROOF, "bash", "-c", """
                . scripts/lib.sh
                guard=$PWD/guard
                until_there() { for _ in $(seq "$2"); do [ -e "$1" ] && return; sleep 0.05; done; }
                apt-get() {
                  case " $* " in
                    *' x '*) touch x.begun && until_there y.begun 20 ;;
                    *) touch y.begun && until_there x.over 600 ;;
                  esac
                  [ -e "$guard" ]
                }
                { apt_install x; touch x.over; } &
                until_there x.begun 600
                apt_install y || echo a service was started
                wait
                """);
        assertThat(output(process)).isEmpty();
        assertThat(directory.resolve("guard")).doesNotExist();
    }

    /** Which none of these takes for a word to act by. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "verify",
                "docs/build",
                "scripts/check-bundle",
                "scripts/format",
                "scripts/jars-of",
                "scripts/pictures",
                "scripts/release",
                "scripts/repeat",
                "scripts/start-times",
                "trials/table"
            })
    void eachScriptTellsOfItselfAndTakesNoWordThatMeansNothing(String script) throws Exception {
        String there = Path.of("..", script).toRealPath().toString();
        Process help = start(PROOF, "bash", there, "--help");
        assertThat(output(help)).isNotBlank().doesNotContain("belay: ");
        assertThat(help.waitFor()).isZero();
        assertThat(start(PROOF, "bash", there, "--no-such").waitFor()).isEqualTo(2);
    }

    /** Whoever may write anywhere calls it as somebody else. */
    @ParameterizedTest
    @ValueSource(strings = {"./verify --soak", "bash -ec '. scripts/lib.sh; build_if_out_of_date cli'"})
    void whereNothingCanBeWrittenNothingIsBuilt(String call) throws Exception {
        copyProof("echo built");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            Process process = start(PROOF, "bash", "-c", asNobody(call));
            assertThat(output(process)).contains("cannot be written to").containsOnlyOnce("\n");
            assertThat(process.waitFor()).isEqualTo(2);
        } finally {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /** Maven hears of no signal that the script alone is sent, and goes on in the background after one of a terminal's keys. */
    @ParameterizedTest
    @CsvSource({"TERM, '', 143", "HUP, '', 143", "INT, -, 130"})
    void aBuildEndsWithWhoCalledForIt(String signal, String group, int exitCode) throws Exception {
        copyProof("echo \"$BASHPID\" >begun.new && mv begun.new begun && exec sleep 600");
        Process process = terminal(". scripts/lib.sh; build_if_out_of_date cli; echo went on");
        int ended = ended(process, signal, group);
        String maven = Files.readString(directory.resolve("begun")).strip();
        try {
            assertThat(ended).isEqualTo(exitCode);
            Awaitility.await().until(() -> !runs(maven));
        } finally {
            ProcessHandle.of(Long.parseLong(maven)).ifPresent(ProcessHandle::destroyForcibly);
        }
        assertThat(output(process)).contains("building").doesNotContain("went on", "failed");
    }

    /** Maven takes a jar for made that is newer than what belongs in it, however much of that is there. */
    @Test
    void whatAnEndedBuildHasHalfWrittenIsNotUsed() throws Exception {
        copy("dist/src/share/java.sh", "dist/src/share/java.sh");
        copy("scripts/lib.sh", "scripts/lib.sh");
        Process process = start(Map.of(), "bash", "-ec", """
                . scripts/lib.sh
                built=target/quick
                mkdir -p x/target/quick/dist/lib
                start_stamp
                touch -d '1 hour ago' target/quick/.started
                touch -d '2 hours ago' x/target/quick/whole.jar
                touch x/target/other.jar x/target/quick/half.jar x/target/quick/dist/lib/half.jar
                start_stamp
                touch -d '1 hour ago' target/quick/.started
                touch x/target/quick/next.jar
                set_stamp x
                start_stamp
                find x -name '*.jar' | sort
                """);
        assertThat(output(process))
                .isEqualTo("x/target/other.jar\nx/target/quick/next.jar\nx/target/quick/whole.jar\n");
    }

    /** Java ends by itself then, which is no signal to a shell. */
    @Test
    void aCommandThatIsCalledOffWhileItsArchiveIsMadeIsNotRun() throws Exception {
        copyProof(":");
        append("scripts/lib.sh", "archive_classes() { " + ENDS_BY_ITSELF.formatted(0) + "; }\n");
        Files.createDirectories(directory.resolve("cli/target/dist/lib"));
        Process process = terminal(". scripts/lib.sh; archive_classes_once; echo went on");
        assertThat(ended(process, "INT", "-")).isEqualTo(130);
        assertThat(output(process)).doesNotContain("went on");
        assertThat(directory.resolve("cli/target/dist/.archived")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"scripts/repeat SomeTest 9", "scripts/release 0.1.0", "scripts/jars-of HEAD"})
    void controlCEndsWhatBuilds(String call) throws Exception {
        copyProof("case \" $* \" in *' -DskipTests '*) ;; *) " + ENDS_BY_ITSELF.formatted(130) + " ;; esac");
        append("scripts/lib.sh", """
                git() { echo 0123; }
                tar() {
                  cat >/dev/null # or who writes to it fails
                  mkdir "$3/bom" && echo '<artifactId>belay-x</artifactId>' | tee "$3/pom.xml" "$3/bom/pom.xml"
                }
                """);
        String script = call.split(" ", 2)[0];
        copy(script, script);
        someTest();
        Process process = terminal(call);
        assertThat(ended(process, "INT", "-")).isEqualTo(130);
        assertThat(output(process)).contains("building").doesNotContain("FAIL", "failed");
    }

    @Test
    void anOptionWithoutItsValueIsTold() throws Exception {
        copyProof(":");
        copy("scripts/release", "scripts/release");
        Process process = start(PROOF, "bash", "-c", "scripts/release 0.1.0 --key");
        assertThat(output(process)).startsWith("belay: release: ").contains("--key");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    /** Else nothing that is installed later would start its services. */
    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "# Temporary: keeps packages from starting services., ''",
        "# Temporary: no services during the upgrade., '# Temporary: no services during the upgrade.'"
    })
    void whatKeepsServicesFromStartingDoesNotStay(String before, String after) throws Exception {
        copyProof(":");
        Path guard = directory.resolve("guard");
        if (!before.isEmpty()) {
            Files.writeString(guard, before + "\n");
        }
        Process process = start(PROOF, "bash", "-ec", """
                . scripts/lib.sh
                guard=$PWD/guard
                apt-get() { [ -e "$guard" ]; }
                apt_install x
                """);
        assertThat(output(process)).isEmpty();
        assertThat(process.waitFor()).isZero();
        assertThat(Files.exists(guard) ? Files.readString(guard).strip() : "").isEqualTo(after);
    }

    /** Starts a script as a terminal does: as a group, which no signal is kept from. */
    private Process terminal(String script) throws IOException {
        return start(PROOF, "env", "--default-signal", "setsid", "bash", "-ec", script);
    }

    /** Waits until what a script has called has begun, sends the script a signal, or its group, and returns its exit code. */
    private int ended(Process process, String signal, String group) throws Exception {
        try {
            Awaitility.await().until(() -> Files.exists(directory.resolve("begun")) || !process.isAlive());
            start(Map.of(), "bash", "-c", "kill -s " + signal + " -- " + group + process.pid())
                    .waitFor();
            assertThat(process.waitFor(Pace.seconds(), TimeUnit.SECONDS))
                    .as("it has ended")
                    .isTrue();
            return process.exitValue();
        } finally {
            if (process.isAlive()) {
                start(Map.of(), "bash", "-c", "kill -s KILL -- -" + process.pid())
                        .waitFor();
            }
        }
    }

    /** Returns whether there is a process of that number, and not only what it leaves to its parent. */
    private static boolean runs(String number) {
        try {
            String stat = Files.readString(Path.of("/proc", number, "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    private void someTest() throws IOException {
        Files.createDirectories(directory.resolve("x/src/test/java"));
        Files.createFile(directory.resolve("x/src/test/java/SomeTest.java"));
    }

    private void copyRepeat(String maven) throws IOException {
        copyProof(maven);
        copy("scripts/repeat", "scripts/repeat");
        someTest();
    }

    /** Copies what a proof is made by, for a machine with nothing but Maven, by which all passes, and that does this besides. */
    private void copyProof(String maven) throws IOException {
        for (String file : List.of("verify", "scripts/lib.sh", "dist/src/share/java.sh")) {
            copy(file, file);
        }
        append("scripts/lib.sh", """

                use_jdk() { :; }
                has() { [ "$1" = mvn ]; }
                mvn_here() { ran | tee report.txt && mkdir -p x/target/surefire-reports && mv report.txt x/target/surefire-reports; %s; }
                ran() { printf '%%s\n' '[INFO] Tests run: 1, Failures: 0' 'Tests run: 1, Failures: 0, Errors: 0, Skipped: 0'; }
                set_stamp() { :; }
                """.formatted(maven));
    }
}
