package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the scripts start Java, and what they end with where that cannot be. */
class JavaStartTest extends ScriptHarness {
    /** 1 is a result of commands, and under a lock it may be the user's command's. */
    @ParameterizedTest
    @CsvSource({
        "bin/belay, locks, 2",
        "bin/belay, run x -- true, 69",
        "bin/belay, lead x --own-exit-code 7 -- true, 7",
        "belay, locks, 2",
        "belay, run x --own-exit-code=7 -- true, 7",
        "belay, run x -- --own-exit-code=7, 69"
    })
    void withoutJavaTheExitCodeIsNoResult(String script, String call, int exitCode) throws Exception {
        copyCommands();
        append("share/java.sh", "java_homes() { :; }\n");
        append("dist/src/share/java.sh", "java_homes() { :; }\n");
        Process process = start(Map.of(), "bash", "-c", "bash " + script + " " + call);
        assertThat(output(process)).contains("no Java 17 or later found");
        assertThat(process.waitFor()).isEqualTo(exitCode);
    }

    /** Java itself ends with 1 then. */
    @ParameterizedTest
    @CsvSource({
        "bin/belay, locks, JAVA_TOOL_OPTIONS",
        "belay, locks, JDK_JAVA_OPTIONS",
        "belay, flash-sale, BELAY_JAVA_OPTS",
        "trials/run, --help, JAVA_TOOL_OPTIONS",
        "trials/fences, --help, JAVA_TOOL_OPTIONS",
        "bench/run, --help, JAVA_TOOL_OPTIONS"
    })
    void withOptionsThatJavaRefusesTheExitCodeIsNoResult(String script, String command, String options)
            throws Exception {
        copyCommands();
        append("scripts/lib.sh", "build_if_out_of_date() { :; }\narchive_classes_once() { :; }\n");
        Process process = start(Map.of(options, "-XX:NoSuch"), "bash", script, command);
        assertThat(output(process)).contains("NoSuch");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    /** A VM that is told of two collectors does not begin, and no later option takes one back. */
    @ParameterizedTest
    @CsvSource({
        "bin/belay locks, JAVA_TOOL_OPTIONS",
        "./belay locks, _JAVA_OPTIONS",
        "./belay flash-sale, JDK_JAVA_OPTIONS",
        "trials/run --help, JAVA_TOOL_OPTIONS",
        "bench/run --help, JAVA_TOOL_OPTIONS"
    })
    void aCollectorThatTheUserHasChosenForAllKeepsNoneFromBeginning(String call, String options) throws Exception {
        copyCommands();
        append("scripts/lib.sh", "build_if_out_of_date() { :; }\narchive_classes_once() { :; }\n");
        Process process = start(Map.of(options, "-XX:+UseParallelGC"), "bash", "-c", "bash " + call);
        assertThat(output(process)).containsPattern("jarfile|ClassNotFound").doesNotContain("collectors");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bin/belay", "belay"})
    void theOtherOptionsOfTheUserStay(String script) throws Exception {
        copyCommands();
        append("scripts/lib.sh", "build_if_out_of_date() { :; }\narchive_classes_once() { :; }\n");
        standIn("echo [$(echo $JAVA_TOOL_OPTIONS)] [${JDK_JAVA_OPTIONS-unset}]");
        Map<String, String> environment = Map.of(
                "JAVA_HOME",
                directory.resolve("jdk").toString(),
                "JAVA_TOOL_OPTIONS",
                "-XX:-UseG1GC -XX:+UseZGC -XX:+UseGCOverheadLimit -Da=b");
        Process process = start(environment, "bash", script, "run", "x", "--", "true");
        assertThat(output(process)).isEqualTo("[-XX:+UseGCOverheadLimit -Da=b] [unset]\n");
    }

    /** As of a deployment that replaces its own directory: Java shows a stack of its own there. */
    @ParameterizedTest
    @CsvSource({"locks, 2", "run x -- true, 69"})
    void inADirectoryThatIsGoneThatIsTold(String call, int exitCode) throws Exception {
        copyCommands();
        Process process = start(
                PROOF, "bash", "-c", "home=$PWD; mkdir gone; cd gone; rmdir ../gone; bash $home/bin/belay " + call);
        assertThat(output(process))
                .contains("belay: the current directory has been removed")
                .doesNotContain("\tat ");
        assertThat(process.waitFor()).isEqualTo(exitCode);
    }

    /** Java opens a file of its own there, which would be read as what the user answers. */
    @ParameterizedTest
    @CsvSource({
        "bin/belay break x, /dev/null, <&-",
        "./belay break x, /dev/null, <&-",
        "bin/belay locks, /dev/zero, </dev/zero"
    })
    void aStandardInputThatIsClosedIsOneThatIsAtItsEnd(String call, String expected, String input) throws Exception {
        copyCommands();
        append("scripts/lib.sh", "build_if_out_of_date() { :; }\narchive_classes_once() { :; }\n");
        standIn("readlink /proc/$$/fd/0");
        Map<String, String> environment =
                Map.of("JAVA_HOME", directory.resolve("jdk").toString());
        Process process = start(environment, "bash", "-c", "bash " + call + " " + input);
        assertThat(output(process)).isEqualTo(expected + "\n");
    }

    /** To Java all other letters are one in the locale of cron, and nothing lies there. */
    @ParameterizedTest
    @CsvSource({"b\\303\\274ro, C, C.UTF-8", "buero, C, C"})
    void javaKnowsTheLettersOfTheDirectory(String name, String locale, String expected) throws Exception {
        copyCommands();
        append("scripts/lib.sh", "build_if_out_of_date() { :; }\narchive_classes_once() { :; }\n");
        standIn("echo \"$LC_ALL\"");
        Process process = start(
                Map.of("LC_ALL", locale, "JAVA_HOME", directory.resolve("jdk").toString()),
                "bash",
                "-ec",
                "name=$(printf '" + name
                        + "'); mkdir $name; mv bin share dist scripts belay trials bench $name; cd $name;"
                        + " for call in bin/belay ./belay './belay flash-sale' trials/run trials/fences bench/run; do"
                        + " bash $call; done");
        assertThat(output(process)).isEqualTo((expected + "\n").repeat(6));
    }

    /** Java takes what a command says for more than what {@code JAVA_TOOL_OPTIONS} say, which are the user's. */
    @ParameterizedTest
    @CsvSource({"/, -Djava.io.tmpdir=/", "/no/such/directory, ''", "'', ''"})
    void itHasItsTemporaryFilesWhereTheUserSays(String tmpdir, String expected) throws Exception {
        copyCommands();
        append("scripts/lib.sh", "build_if_out_of_date() { :; }\narchive_classes_once() { :; }\n");
        standIn("for option; do case $option in -Djava.io.tmpdir=*) echo \"$option\";; esac; done; echo end");
        Map<String, String> environment =
                Map.of("TMPDIR", tmpdir, "JAVA_HOME", directory.resolve("jdk").toString());
        String calls =
                "for call in './belay flash-sale' './belay locks' 'bin/belay locks' 'bin/belay lead x -- true'; do"
                        + " bash $call; done";
        Process process = start(environment, "bash", "-c", calls);
        assertThat(output(process)).isEqualTo((expected + (expected.isEmpty() ? "" : "\n") + "end\n").repeat(4));
    }

    @ParameterizedTest
    @CsvSource({
        "bin/belay locks, 2",
        "bin/belay lead x -- true, 69",
        "./belay locks, 2",
        "./belay run x --own-exit-code 7 -- true, 7",
        "trials/run, 2"
    })
    void whereTheDirectoryHasAColonThatIsTold(String call, int exitCode) throws Exception {
        copyCommands();
        Process process = start(
                PROOF,
                "bash",
                "-ec",
                "mkdir a:b; mv bin share dist scripts belay trials bench a:b; cd a:b; bash " + call);
        assertThat(output(process))
                .startsWith("belay: Java takes a path with a colon")
                .containsOnlyOnce("\n");
        assertThat(process.waitFor()).isEqualTo(exitCode);
    }

    /** As a version manager's where no version is set for the directory. */
    @Test
    void aShimThatStartsNoJavaIsPassedOver() throws Exception {
        copyCommands();
        standIn(":");
        Process process = start(
                Map.of("JAVA_25_HOME", directory.resolve("jdk").toString()),
                "bash",
                "-ec",
                "mkdir shims; printf '#!/bin/sh\\necho no version is set >&2; exit 126\\n' >shims/java; chmod 755 shims/java;"
                        + " unset JAVA_HOME; PATH=$PWD/shims:$PATH; . share/java.sh; java_homes | head -n 1; find_java java 17");
        assertThat(output(process)).isEqualTo((directory.resolve("jdk") + "\n").repeat(2));
    }

    /** Without an end of its own that would be {@code /bin/java}. */
    @Test
    void noJavaIsLookedForInAnEmptyDirectory() throws Exception {
        copyCommands();
        Process process = start(
                Map.of(),
                "bash",
                "-ec",
                "unset JAVA_HOME JAVA_25_HOME; . share/java.sh; java_homes >all; [ -s all ]; grep -c '^$' all || true");
        assertThat(output(process)).isEqualTo("0\n");
    }

    @Test
    void aJavaWhoseVersionIsNoNumberIsPassedOver() throws Exception {
        copyCommands();
        standIn(":");
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"internal\"\n");
        Process process = start(
                Map.of("JAVA_HOME", directory.resolve("jdk").toString()),
                "bash",
                "-ec",
                ". share/java.sh; java_homes() { echo \"$JAVA_HOME\"; }; find_java java 17 || echo none");
        assertThat(output(process)).isEqualTo("none\n");
    }

    /** Makes a Java at {@code jdk} that does this. */
    private void standIn(String does) throws IOException {
        Path java = directory.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"17\"\n");
        Files.writeString(java, "#!/bin/sh\n" + does + "\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    }

    /** As a batch system or a jail limits what a process may take. */
    @ParameterizedTest
    @ValueSource(strings = {"bin/belay locks", "belay flash-sale", "bench/run"})
    void whereJavaHasNoRoomTheExitCodeIsNoResult(String call) throws Exception {
        copyCommands();
        append("scripts/lib.sh", "build_if_out_of_date() { :; }\n");
        Process process = start(Map.of(), "bash", "-c", "ulimit -v 500000; bash " + call);
        assertThat(output(process)).containsPattern("[Cc]ould not");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    private void copyCommands() throws IOException {
        copy("dist/src/bin/belay", "bin/belay");
        copy("dist/src/share/launch.sh", "share/launch.sh");
        copy("dist/src/share/java.sh", "share/java.sh");
        copy("dist/src/share/launch.sh", "dist/src/share/launch.sh");
        copy("dist/src/share/java.sh", "dist/src/share/java.sh");
        copy("scripts/lib.sh", "scripts/lib.sh");
        for (String script : List.of("belay", "trials/run", "trials/fences", "bench/run")) {
            copy(script, script);
        }
    }
}
