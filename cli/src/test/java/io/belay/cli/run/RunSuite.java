package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code belay run} and {@code belay lead} promise, by real processes, signals and kills, on one store. */
abstract class RunSuite {
    private static final Duration SHORT = Duration.ofSeconds(3);

    @TempDir
    Path directory;

    private final List<RunProcess> started = new ArrayList<>();

    /** Returns the store's URL. */
    abstract String url();

    @AfterEach
    void endAll() {
        started.forEach(RunProcess::close);
    }

    private RunProcess start(List<String> words) throws IOException {
        RunProcess process = RunProcess.start(directory, words, null);
        started.add(process);
        return process;
    }

    RunProcess start(String... args) throws IOException {
        return start(RunProcess.words(args));
    }

    /** Starts {@code belay run x} with options, and a command for the shell. */
    RunProcess shell(String command, String... options) throws IOException {
        return start(run("x", command, options));
    }

    private List<String> run(String name, String command, String... options) {
        List<String> args = new ArrayList<>(List.of("run", name, "--store", url()));
        args.addAll(List.of(options));
        args.addAll(List.of("-c", command));
        return RunProcess.words(args.toArray(String[]::new));
    }

    /** Returns the options of a short lease, of which a third is the grace. */
    static String[] options(Duration lease) {
        return new String[] {"--lease", lease.toMillis() + "ms", "--grace", lease.toMillis() / 3 + "ms"};
    }

    static void awaitGone(long pid) {
        Awaitility.await().pollInterval(10, TimeUnit.MILLISECONDS).until(() -> !isAlive(pid));
    }

    /** Returns a command of a shell that does nothing until there is a file. */
    private static String untilThereIs(Path file) {
        return "while ! [ -e " + file + " ]; do sleep 0.05; done";
    }

    static boolean isAlive(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the number that a command has printed behind a word. */
    static long number(RunProcess process, String word) throws IOException {
        process.awaitOut(word + "=");
        Awaitility.await().until(() -> process.out().matches("(?s).*" + word + "=\\d+\r?\n.*"));
        return Long.parseLong(process.out().replaceFirst("(?s).*" + word + "=(\\d+)\r?\n.*", "$1"));
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

    @Test
    void whoDoesNotWaitIsToldWhoHasIt() throws Exception {
        try (Belay belay = Belay.connect(url());
                Lease held = belay.as("order 7").lock("x").acquire()) {
            assertThat(shell("echo no", "-n").ends(75).err()).contains("x is taken by", " for order 7");
            assertThat(shell("echo no", "-n", "-E", "9", "-q").ends(9).err()).isEmpty();
            RunProcess limited = shell("echo no", "-w", "0.3").ends(75);
            assertThat(limited.out()).isEmpty();
            held.ensureHeld();
        }
    }

    @Test
    void whoWaitsHasItNext() throws Exception {
        try (Belay belay = Belay.connect(url())) {
            Lease held = belay.lock("x").acquire();
            RunProcess waiting = shell("echo token=$BELAY_TOKEN", "-w", "50");
            Awaitility.await().until(() -> belay.inspect("x").claims().size() == 2);
            held.release();
            waiting.ends(0);
            assertThat(number(waiting, "token")).isGreaterThan(held.token());
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

    private static String quoted(List<String> words) {
        return String.join(
                " ",
                words.stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .toList());
    }

    @Test
    @Tag("long")
    void whoAsksForTheLockItRunsUnderIsWarned() throws Exception {
        RunProcess outer = shell(quoted(run("x", "true", "-n")));
        assertThat(outer.ends(75).err()).contains("this runs under x already");
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

    @Test
    @Tag("long")
    void aTerminalGoesThrough() throws Exception {
        String inside = quoted(run("x", "test -t 0 && test -t 1 && ps -o pgid= -o tpgid= -p $$"));
        RunProcess terminal = start(List.of("script", "-qec", inside, "/dev/null"));
        String[] groups = terminal.ends(0).out().strip().split("\\s+", -1);
        assertThat(groups[0]).as("the process group is the terminal's").isEqualTo(groups[1]);
    }

    @Test
    @Tag("long")
    void controlCIsNotSentTwice() throws Exception {
        // The terminal sends it to the whole group; what the command notes is how often, before a signal that comes
        // later.
        Path notes = directory.resolve("notes");
        Path go = directory.resolve("go");
        Path end = directory.resolve("end");
        String inside = quoted(run(
                "x",
                "trap 'echo INT >>" + notes + "' INT; trap 'echo USR1 >>" + notes
                        + "; exit' USR1; echo belay=$PPID; while :; do sleep 0.1; done"));
        RunProcess terminal = start(List.of(
                "sh",
                "-c",
                "(" + untilThereIs(go) + "; printf '\\003'; " + untilThereIs(end) + ") | script -qec \""
                        + inside.replace("\\", "\\\\").replace("\"", "\\\"").replace("$", "\\$")
                        + "\" /dev/null"));
        long belay = number(terminal, "belay");
        Files.createFile(go);
        Awaitility.await().until(() -> Files.exists(notes) && Files.size(notes) > 0);
        RunProcess.send("USR1", belay);
        Awaitility.await().until(() -> Files.readString(notes).endsWith("USR1\n"));
        Files.createFile(end);
        terminal.exitCode();
        assertThat(Files.readString(notes)).isEqualTo("INT\nUSR1\n");
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
            Awaitility.await().until(() -> belay.inspect("x").claims().size() == 2);
            waiting.signal(signal);
            assertThat(waiting.ends(code).out()).isEmpty();
            assertThat(belay.inspect("x").claims()).hasSize(1);
            held.ensureHeld();
        }
    }

    @Test
    @Tag("long")
    void readersShareAndPermitsAreCounted() throws Exception {
        try (Belay belay = Belay.connect(url())) {
            try (Lease reading = belay.readWriteLock("x").readLock().acquire()) {
                shell("true", "-s", "-n").ends(0);
                shell("true", "-x", "-n").ends(75);
                reading.ensureHeld();
            }
            try (Lease some = belay.semaphore("permits", 5).permits(3).acquire()) {
                start(run("permits", "true", "-n", "--permits", "2/5")).ends(0);
                start(run("permits", "true", "-n", "--permits", "2")).ends(0);
                start(run("permits", "true", "-n", "--permits", "3/5")).ends(75);
                start(run("permits", "true", "-n", "--permits", "1/4")).ends(69);
                some.ensureHeld();
            }
        }
    }

    @Test
    @Tag("long")
    void aLockIsKeptForAsLongAsAsked() throws Exception {
        shell("true", "--at-least", "30s").ends(0);
        assertThat(shell("true", "-n").ends(75).err()).contains("x is taken by");
    }

    @Test
    @Tag("long")
    void theLongestHoldEndsTheCommand() throws Exception {
        RunProcess process = shell("echo pid=$$; sleep 600", "--lease", "3s", "--grace", "500ms", "--max-hold", "2s");
        long pid = number(process, "pid");
        process.ends(79);
        awaitGone(pid);
        assertThat(process.err()).contains("ending the command", "nobody has x now");
    }

    /** The worst family: it ignores SIGTERM, and one of it has lost its parents. It is gone within a lease. */
    @Test
    void aLossEndsTheWholeFamily() throws Exception {
        Premise.withLease(SHORT, this::aLossEndsTheWholeFamily);
    }

    private void aLossEndsTheWholeFamily(Duration lease) throws Exception {
        String stubborn = "trap '' TERM; echo NAME=$$; while :; do sleep 0.05; done";
        RunProcess process = shell(
                "trap '' TERM; sh -c \"" + escaped(stubborn.replace("NAME", "child")) + "\" & (sh -c \""
                        + escaped(stubborn.replace("NAME", "orphan")) + "\" &) ; echo root=$$; wait; sleep 600",
                options(lease));
        List<Long> family = List.of(number(process, "root"), number(process, "child"), number(process, "orphan"));
        try (Belay belay = Belay.connect(url());
                Stalls stalls = Stalls.watch()) {
            Premise.check(belay.as("the test").forceRelease("x"), "the lock is held");
            try (Lease next = belay.as("the next").lock("x").acquire()) {
                family.forEach(RunSuite::awaitGone);
                stalls.inTime(stalls.taken().compareTo(lease) < 0, "the whole family is gone");
                process.ends(79);
                next.ensureHeld();
            }
        }
        assertThat(process.err()).containsOnlyOnce("Lost the lock 'x'").contains("the test", "for the next has x now");
    }

    private static String escaped(String text) {
        return text.replace("$", "\\$");
    }

    @Test
    @Tag("long")
    void aLossIsOnlyToldWhereAskedFor() throws Exception {
        Path go = directory.resolve("go");
        RunProcess process = shell("echo ready; " + untilThereIs(go) + "; echo done; exit 6", "--on-lost", "continue");
        process.awaitOut("ready");
        try (Belay belay = Belay.connect(url())) {
            belay.forceRelease("x");
            // Whoever goes at once takes its message along, and then the next renewal tells it.
            Awaitility.await().until(() -> process.err().contains("Lost the lock 'x'"));
            Files.createFile(go);
            assertThat(process.ends(6).out()).contains("done");
        }
        assertThat(process.err()).containsOnlyOnce("Lost the lock 'x'").contains("the command goes on without it");
    }

    @Test
    void aKilledBelayTakesItsCommandWithIt() throws Exception {
        RunProcess process = shell("echo pid=$$; exec sleep 600", options(SHORT));
        long pid = number(process, "pid");
        process.signal("KILL");
        awaitGone(pid);
        shell("true").ends(0);
    }

    /** Whoever stands still for longer than the lease has lost it, and learns that when it goes on. */
    @Test
    @Tag("long")
    void aStoppedBelayEndsItsCommandWhenItGoesOn() throws Exception {
        RunProcess process = shell("echo pid=$$; sleep 600", options(SHORT));
        long pid = number(process, "pid");
        process.signal("STOP");
        try (Belay belay = Belay.connect(url())) {
            belay.lock("x").acquire();
        }
        process.signal("CONT");
        process.ends(79);
        awaitGone(pid);
    }

    @Test
    @Tag("long")
    void aLeaderRunsItsCommandInEachTerm() throws Exception {
        String command = "echo leads=$BELAY_TOKEN; sleep 600";
        String[] args = {"lead", "boss", "--store", url(), "--lease", "3s", "--grace", "300ms", "--max-hold", "1500ms"};
        List<String> words = new ArrayList<>(List.of(args));
        words.addAll(List.of("-c", command));
        RunProcess one = start(words.toArray(String[]::new));
        long first = number(one, "leads");
        RunProcess two = start(words.toArray(String[]::new));
        long second = number(two, "leads");
        assertThat(second).isGreaterThan(first);
        Awaitility.await().until(() -> number(one, "leads") > second);
        one.signal("TERM");
        two.signal("TERM");
        one.ends(143);
        two.ends(143);
    }

    @Test
    @Tag("long")
    void aLeaderWhoIsToldToEndAtTheEndOfATermDoesNotStandAgain() throws Exception {
        String command = "trap 'echo told' TERM; while :; do sleep 0.05; done";
        RunProcess leader = start(
                "lead", "boss", "--store", url(), "--lease", "6s", "--grace", "2s", "--max-hold", "4s", "-c", command);
        leader.awaitOut("told");
        leader.signal("TERM");
        leader.ends(143);
    }

    @Test
    void aLeaderWhoseCommandEndsGoes() throws Exception {
        start("lead", "boss", "--store", url(), "-c", "exit 4").ends(4);
        try (Belay belay = Belay.connect(url())) {
            assertThat(belay.election("boss", LockOptions.defaults()).leader()).isEmpty();
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
