package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On a directory. */
@Tag("processes")
class FileRunTest extends RunSuite {
    @Override
    String url() {
        return "file:" + directory.resolve("locks");
    }

    @Test
    void aDirectoryThatCannotBeIsNoStore() throws Exception {
        assertThat(start("run", "x", "--store", "file:/proc/version", "--", "true")
                        .ends(69)
                        .err())
                .startsWith("belay: ");
    }

    @Test
    void theExitCodeIsTheCommands() throws Exception {
        shell("exit 7").ends(7);
        start("run", "x", "--store", url(), "--", "true").ends(0);
        start("run", "x", "--store", url(), "--", "sh", "-c", "exit 255").ends(255);
    }

    @ParameterizedTest
    @CsvSource({"KILL, 137", "TERM, 143", "SEGV, 139"})
    void aCommandThatASignalEndedIsTold(String signal, int code) throws Exception {
        shell("kill -s " + signal + " $$").ends(code);
    }

    @Test
    void noCommandNoLock() throws Exception {
        try (Belay belay = Belay.connect(url());
                Lease held = belay.lock("x").acquire()) {
            // Nobody waits for a lock to learn that.
            assertThat(start("run", "x", "--store", url(), "--", "no-such-command")
                            .ends(127)
                            .err())
                    .isEqualTo("belay: 'no-such-command' is not there: check the name, or the PATH\n");
            start("run", "x", "--store", url(), "--", "/etc/passwd").ends(126);
            held.ensureHeld();
        }
    }

    /** As in a container that has all its processes: that passes, and is no fault of the command's. */
    @Test
    void noWatcherNoLock() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        Path setsid = Files.writeString(programs.resolve("setsid"), "#!/nowhere\n");
        Files.setPosixFilePermissions(setsid, PosixFilePermissions.fromString("rwx------"));
        String script = "cp $(command -v bash cat) " + programs + "; PATH=" + programs + "; exec "
                + quoted(run("x", "echo begun"));
        try (Belay belay = Belay.connect(url());
                Lease held = belay.lock("x").acquire()) {
            RunProcess process = start(List.of("bash", "-c", script)).ends(69);
            assertThat(process.err())
                    .startsWith("belay: the process that would end the command in time cannot begin: ")
                    .hasLineCount(1);
            held.ensureHeld();
        }
    }

    @Test
    void theCommandKnowsItsLockAndNoUrl() throws Exception {
        RunProcess outer = start(run(
                "outer",
                "echo outer=$BELAY_LOCK; "
                        + quoted(run("inner", "echo inner=$BELAY_LOCK; env; echo token=$BELAY_TOKEN"))));
        outer.ends(0);
        assertThat(outer.out()).contains("outer=outer\n", "inner=inner\n", "BELAY_LOCK=inner\n");
        assertThat(outer.out()).doesNotContain(url());
        assertThat(number(outer, "token")).isPositive();
    }

    @Test
    @Tag("long")
    void theInputGoesThrough() throws Exception {
        Path input = Files.writeString(directory.resolve("input"), "one\ntwo\n");
        RunProcess process = RunProcess.start(
                directory, RunProcess.words("run", "x", "--store", url(), "--", "cat"), input.toFile());
        started.add(process);
        assertThat(process.ends(0).out()).isEqualTo("one\ntwo\n");
        assertThat(start(List.of("sh", "-c", "printf 'a b' | " + quoted(run("x", "cat"))))
                        .ends(0)
                        .out())
                .isEqualTo("a b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "HUP", "USR1", "USR2", "INT"})
    @Tag("long")
    void signalsArePassedOn(String signal) throws Exception {
        RunProcess process = shell(
                "trap 'echo got " + signal + "; exit 42' " + signal + "; echo ready; while :; do sleep 0.05; done");
        process.awaitOut("ready");
        process.signal(signal);
        assertThat(process.ends(42).out()).contains("got " + signal);
    }

    /** Many a cluster, and CircleCI, has bash run a file before each script, which may print. */
    @Test
    @Tag("long")
    void whatAShellPrintsFirstIsNoAnswerOfTheWatcher() throws Exception {
        Path noise = Files.writeString(directory.resolve("noise"), "echo noise\n");
        Path go = directory.resolve("go");
        String command =
                "trap 'echo told; " + untilThereIs(go) + "; exit' TERM; echo ready; while :; do sleep 0.05; done";
        List<String> words = new ArrayList<>(List.of("env", "BASH_ENV=" + noise));
        words.addAll(run("x", command, "--lease", "10m", "--grace", "3m"));
        RunProcess process = start(words);
        process.awaitOut("ready");
        ProcessHandle vm = process.vm();
        process.watcher();
        RunProcess.send("KILL", process.pid());
        Awaitility.await().until(() -> process.out().contains("told"));
        try (Belay belay = Belay.connect(url())) {
            assertThat(belay.admin().inspect("x").claims()).hasSize(1);
        } finally {
            Files.createFile(go);
        }
        vm.onExit().join();
        assertThat(process.err()).contains("; ending the command").doesNotContain("could not be ended");
    }

    /** Java writes its logs to the standard output, and so do agents; more than a pipe takes. */
    @Test
    @Tag("long")
    void whatJavaLogsIsNotTakenForWhatItSays() throws Exception {
        List<String> words = new ArrayList<>(List.of("env", "JAVA_TOOL_OPTIONS=-Xlog:class+load,gc*"));
        words.addAll(run("x", "echo lock=$BELAY_LOCK.; exit 3"));
        RunProcess process = start(words).ends(3);
        assertThat(process.out()).isEqualTo("lock=x.\n");
        assertThat(process.err()).contains("[class,load");
        words.set(words.size() - 2, "--help");
        assertThat(start(words).ends(0).out()).startsWith("Usage: belay run");
    }

    @Test
    @Tag("long")
    void whatGoesOnAfterTermEndsByItself() throws Exception {
        Path go = directory.resolve("go");
        RunProcess process = shell("trap 'echo told' TERM; echo ready; " + untilThereIs(go) + "; exit 5");
        process.awaitOut("ready");
        process.signal("TERM");
        process.awaitOut("told");
        Files.createFile(go);
        process.ends(5);
    }

    @Test
    @Tag("long")
    void underNohupAHangUpIsIgnored() throws Exception {
        Path go = directory.resolve("go");
        RunProcess process = start(List.of(
                "sh", "-c", "trap '' HUP; exec " + quoted(run("x", "echo ready; " + untilThereIs(go) + "; exit 3"))));
        process.awaitOut("ready");
        assertThat(process.ignores("HUP")).isTrue();
        RunProcess.send("HUP", process.pid());
        Files.createFile(go);
        process.ends(3);
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "HUP, 129", "INT, 130", "USR1, 138"})
    @Tag("long")
    void aSignalEndsAWait(String signal, int code) throws Exception {
        try (Belay belay = Belay.connect(url());
                Lease held = belay.lock("x").acquire()) {
            RunProcess waiting = shell("echo no");
            Awaitility.await().until(() -> belay.admin().inspect("x").claims().size() == 2);
            waiting.signal(signal);
            assertThat(waiting.ends(code).out()).isEmpty();
            assertThat(belay.admin().inspect("x").claims()).hasSize(1);
            held.ensureHeld();
        }
    }

    @Test
    @Tag("long")
    void verboseTellsTheSteps() throws Exception {
        assertThat(shell("exit 2", "--verbose").ends(2).err())
                .containsPattern("belay: x is held after \\d+\\.\\d{3} s, token \\d+; running /bin/sh")
                .contains("ended with exit code 2");
        assertThat(shell("exit 2").ends(2).err()).isEmpty();
    }
}
