package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.Premise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of a terminal do what they do without {@code belay}. */
@Tag("processes")
@Tag("long")
class TerminalTest extends RunHarness {
    @Override
    String url() {
        return "file:" + directory.resolve("locks");
    }

    private Terminal terminal(String command) throws Exception {
        return new Terminal(directory, command);
    }

    @Test
    void theCommandHasTheTerminal() throws Exception {
        try (Terminal terminal = terminal(quoted(run("x", "test -t 0 && test -t 1 && ps -o pgid= -o tpgid= -p $$")))) {
            assertThat(terminal.exitCode()).isZero();
            String[] groups = terminal.screen().strip().split("\\s+", -1);
            assertThat(groups[0]).as("the process group is the terminal's").isEqualTo(groups[1]);
        }
    }

    @Test
    void controlCIsNotSentTwice() throws Exception {
        // The terminal sends it to the whole group; what the command notes is how often, before a signal that comes
        // later.
        Path notes = directory.resolve("notes");
        try (Terminal terminal = terminal(quoted(run(
                "x",
                "trap 'echo INT >>" + notes + "' INT; trap 'echo USR1 >>" + notes
                        + "; exit' USR1; echo belay=$PPID.; while :; do sleep 0.1; done")))) {
            terminal.await(".\r\n");
            terminal.type(Terminal.CONTROL_C);
            Awaitility.await().until(() -> Files.exists(notes) && Files.size(notes) > 0);
            RunProcess.send("USR1", Long.parseLong(terminal.screen().replaceFirst("(?s).*belay=(\\d+)\\..*", "$1")));
            assertThat(terminal.exitCode()).isZero();
            assertThat(Files.readString(notes)).isEqualTo("INT\nUSR1\n");
        }
    }

    @Test
    void controlCEndsTheLoopAroundIt() throws Exception {
        String loop = "for i in 1 2 3; do " + quoted(run("x", "echo begun; exec sleep 60", "--lease", "10m"))
                + "; done; echo after the loop";
        try (Terminal terminal = terminal(quoted(List.of("bash", "-c", loop)))) {
            terminal.await("begun");
            terminal.type(Terminal.CONTROL_C);
            assertThat(terminal.exitCode()).isEqualTo(130);
            assertThat(terminal.screen()).containsOnlyOnce("begun").doesNotContain("after the loop");
        }
        shell("true").ends(0);
    }

    /** The terminal sends it to the group that the command was in. */
    @Test
    void controlCReachesACommandWithAGroupOfItsOwn() throws Exception {
        String command = "exec timeout 1h sh -c 'echo begun; exec sleep 1h'";
        try (Terminal terminal = terminal(quoted(run("x", command, "--lease", "10m")))) {
            terminal.await("begun");
            terminal.type(Terminal.CONTROL_C);
            assertThat(terminal.exitCode()).isEqualTo(130);
        }
        shell("true").ends(0);
    }

    @Test
    void controlBackslashEndsTheCommandAndNothingElse() throws Exception {
        // A core file would lie in the directory of the tests.
        try (Terminal terminal =
                terminal("ulimit -c 0; " + quoted(run("x", "echo begun; exec sleep 60", "--lease", "10m")))) {
            terminal.await("begun");
            terminal.type(Terminal.CONTROL_BACKSLASH);
            assertThat(terminal.exitCode()).isEqualTo(131);
            assertThat(terminal.screen().lines().count()).as(terminal.screen()).isLessThanOrEqualTo(3);
        }
        shell("true").ends(0);
    }

    /** The lease is over while all of it stands still: what comes after it comes from the next holder alone. */
    @Test
    void afterControlZForLongerThanTheLeaseTheCommandDoesNotGoOn() throws Exception {
        Premise.withLease(SHORT, this::afterControlZForLongerThan);
    }

    private void afterControlZForLongerThan(Duration lease) throws Exception {
        Path signs = directory.resolve("signs" + lease.toMillis());
        String command = "trap '' TERM; echo old >>" + signs + "; echo begun; while :; do echo old >>" + signs
                + "; sleep 0.01; done";
        try (Terminal terminal = terminal("bash --norc -i")) {
            terminal.type(quoted(run("x", command, options(lease))) + "; echo ended=$?\n");
            terminal.awaitMatch("begun\r\n|ended=\\d");
            Premise.check(!terminal.screen().contains("ended=79"), "the lock is held until the command has begun");
            terminal.await("begun\r\n");
            terminal.type(Terminal.CONTROL_Z);
            shell("echo new >>" + signs).ends(0);
            terminal.type("fg; echo code=$?\n");
            terminal.await("code=79");
            assertThat(Files.readAllLines(signs)).endsWith("old", "new").containsOnlyOnce("new");
            terminal.type("exit\n");
            assertThat(terminal.exitCode()).isZero();
        }
    }

    @Test
    void theNextLookAtLocksComesInPlaceOfTheLastOne() throws Exception {
        Belay.connect(url()).close();
        String watch = quoted(RunProcess.words("locks", "--watch", "--interval", "10ms", "--store", url()));
        try (Terminal terminal = terminal("TERM=xterm " + watch)) {
            Awaitility.await().until(() -> terminal.screen().split("\u001b\\[H\u001b\\[2J", -1).length > 3);
        }
        try (Terminal terminal = terminal("TERM=dumb " + watch)) {
            Awaitility.await().until(() -> terminal.screen().split("Ctrl-C ends", -1).length > 3);
            assertThat(terminal.screen()).doesNotContain("\u001b");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dumb", ""})
    void helpIsPlainWhereTheTerminalIs(String term) throws Exception {
        String help = quoted(RunProcess.words("locks", "--help"));
        try (Terminal terminal = terminal("TERM=" + term + " " + help)) {
            assertThat(terminal.exitCode()).isZero();
            assertThat(terminal.screen()).contains("--watch").doesNotContain("\u001b");
        }
    }

    @Test
    void aShortControlZIsAPauseOnly() throws Exception {
        Path go = directory.resolve("go");
        try (Terminal terminal = terminal("bash --norc -i")) {
            terminal.type(quoted(run("x", "echo begun; " + untilThereIs(go) + "; exit 5")) + "\n");
            terminal.await("begun\r\n");
            terminal.type(Terminal.CONTROL_Z);
            terminal.await("Stopped");
            Files.createFile(go);
            terminal.type("fg; echo code=$?\n");
            terminal.await("code=5");
            terminal.type("exit\n");
            assertThat(terminal.exitCode()).isZero();
        }
    }
}
