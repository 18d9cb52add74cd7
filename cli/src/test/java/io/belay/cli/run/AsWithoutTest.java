package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.Lease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command is as it would be without {@code belay}: what it inherits, and what its caller sees of its end. */
@Tag("processes")
@Tag("long")
class AsWithoutTest extends RunHarness {
    /**
     * Prints what a process inherits, but for what each process has of its own. It looks at its descriptors while it has no pipe,
     * which would take the place of one that is closed; and at its signals by itself, as a shell blocks some while it forks.
     */
    private static final String INHERITED =
            "{ ls -l /proc/$$/fd >FILE.fd; sed -n 's/.* \\([0-9]* -> .*\\)/\\1/p' FILE.fd; while read -r l; do case $l in Sig[BIC]*) echo $l;; esac;"
                    + " done </proc/$$/status; ulimit -a;"
                    + " ulimit -H -a; umask; pwd; env | grep -vE '^(_|SHLVL)=' | sort; } >FILE 2>&1";

    @Override
    String url() {
        return "file:" + directory.resolve("locks");
    }

    /** Runs a script of bash, in which {@code $belay} stands for a call of {@code belay run}. */
    private RunProcess bash(String script) throws Exception {
        return start(List.of(
                "bash", "-c", script.replace("$belay", quoted(RunProcess.words("run", "x", "--store", url(), "--")))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<&-",
                ">/dev/null",
                "<&- 2>&-",
                "3</dev/null 9</dev/zero",
                "255</dev/null",
            })
    void itInheritsTheSame(String descriptors) throws Exception {
        Path with = directory.resolve("with");
        Path without = directory.resolve("without");
        String prepare =
                "ulimit -Sn 321; ulimit -c 0; umask 027; trap '' USR2; export JAVA_HOME=/nowhere root=1 self=2 home=3 name=4"
                        + " lib=5 options=6; cd /usr; ";
        String command = "bash -c " + quoted(List.of(INHERITED)) + " " + descriptors;
        bash(prepare + command.replace("FILE", without.toString()) + "; $belay "
                        + command.replace("FILE", with.toString()))
                .ends(0);
        List<String> expected = Files.readAllLines(without);
        assertThat(expected).contains("JAVA_HOME=/nowhere").anyMatch(line -> line.endsWith(" 321"));
        List<String> own = List.of("BELAY_LOCK=", "BELAY_TOKEN=");
        assertThat(Files.readAllLines(with).stream()
                        .filter(line -> own.stream().noneMatch(line::startsWith))
                        .map(line -> line.replace(with.toString(), without.toString())))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void aPipeOfTheShellReachesIt() throws Exception {
        assertThat(bash("$belay cat <(echo hi)").ends(0).out()).isEqualTo("hi\n");
    }

    @Test
    void itsWordsAreTheSameBytes() throws Exception {
        String odd = "$'a\\xff\\nb' '' ' ' $'\\t' -- -c 'x y'";
        String print = "printf '%s|' ";
        String expected = bash(print + odd + " | od -An -tx1").ends(0).out();
        assertThat(bash("export LC_ALL=C; $belay " + print + odd + " | od -An -tx1")
                        .ends(0)
                        .out())
                .isEqualTo(expected);
    }

    /** As in a container without an init; the command waits until nothing is left of a process whose parent has ended before it. */
    @Test
    void asProcessOneItCollectsTheOrphansOfOthersAndTellsASignalByItsExitCode() throws Exception {
        String apart = "unshare -pf --mount-proc ";
        assumeTrue(bash(apart + "true").exitCode() == 0, "this user may make namespaces");
        String orphan =
                "p=$( (sleep 0.2 >/dev/null & echo $!) ); while [ -e /proc/$p ]; do sleep 0.05; done; echo collected";
        RunProcess first = bash("exec " + apart + "$belay bash -c '" + orphan + "; kill -TERM 1; exec sleep 1000'");
        assertThat(first.ends(143).out()).isEqualTo("collected\n");
    }

    /** Bash takes TMOUT for the longest time that a read may take, and the script reads for as long as the wait for the lock lasts. */
    @Test
    void theLimitOfAShellsReadsIsForTheCommandAlone() throws Exception {
        try (Belay belay = Belay.connect(url())) {
            Lease held = belay.lock("x").acquire();
            RunProcess waiting = bash("export TMOUT=1; $belay sh -c 'echo TMOUT=$TMOUT; exit 7'");
            Awaitility.await().until(() -> belay.admin().inspect("x").claims().size() == 2);
            Thread.sleep(3_000); // by the shell's own clock, whose limit is a second
            held.release();
            assertThat(waiting.ends(7).out()).isEqualTo("TMOUT=1\n");
        }
    }

    /** In posix mode a signal ends the reads of a shell, of which the script has one for as long as the wait for the lock lasts. */
    @Test
    void thePosixModeOfAShellIsForTheCommandAlone() throws Exception {
        try (Belay belay = Belay.connect(url())) {
            Lease held = belay.lock("x").acquire();
            RunProcess waiting = bash("export POSIXLY_CORRECT=1; exec $belay true");
            Awaitility.await().until(() -> belay.admin().inspect("x").claims().size() == 2);
            waiting.signal("TERM");
            waiting.ends(143);
            held.release();
        }
        String print = "sh -c 'echo ${POSIXLY_CORRECT-unset} ${SHELLOPTS-unset}'";
        assertThat(bash("export POSIXLY_CORRECT='a \"b'; $belay " + print)
                        .ends(0)
                        .out())
                .isEqualTo("a \"b unset\n");
        assertThat(bash("export SHELLOPTS; set -o posix; $belay " + print)
                        .ends(0)
                        .out())
                .startsWith("unset ")
                .contains("posix");
    }

    /** As in a unit with ProcSubset=pid, or where nobody has mounted it. */
    @ParameterizedTest
    @ValueSource(strings = {"/proc/uptime", "/proc/"})
    void whereProcShowsProcessesAloneOrNothingItSaysSo(String missing) throws Exception {
        String script = Files.readString(Path.of("../dist/src/share/launch.sh")).replace(missing, "/none/");
        Process shell = new ProcessBuilder("bash", "-c", script).start();
        assertThat(shell.waitFor()).isEqualTo(64);
        assertThat(shell.errorReader().lines())
                .singleElement()
                .asString()
                .startsWith("belay: run and lead need /none/")
                .contains(", which cannot be read here: mount ", ", or take ProcSubset=pid");
    }

    /** Bytes that the locale does not know are all the same to Java, so that other names would be one lock. */
    @Test
    void aNameThatTheLocaleDoesNotKnowIsRefused() throws Exception {
        String named = quoted(RunProcess.words("run")) + " $'b\\xc3\\xbcro' --store " + url()
                + " -c 'printf %s \"$BELAY_LOCK\" | od -An -tx1'";
        assertThat(start(List.of("bash", "-c", "export LC_ALL=C; " + named))
                        .ends(64)
                        .err())
                .startsWith("belay: ")
                .endsWith("set LC_ALL=C.UTF-8\n")
                .containsOnlyOnce("\n");
        assertThat(start(List.of("bash", "-c", "export LC_ALL=C.UTF-8; " + named))
                        .ends(0)
                        .out())
                .isEqualTo(" 62 c3 bc 72 6f\n");
    }

    /** Runs a script of bash, in which {@code $run} stands for {@code belay run}, in a locale where each byte is a letter by itself. */
    private RunProcess inLatin(String script) throws Exception {
        RunProcess made = start(List.of("sh", "-c", "localedef -i de_DE -f ISO-8859-1 " + directory.resolve("de_DE")));
        assumeTrue(made.exitCode() == 0, "there are sources of locales");
        String called = "cd " + directory + "; " + script.replace("$run", quoted(RunProcess.words("run")));
        return start(List.of("env", "LOCPATH=" + directory, "LC_ALL=de_DE", "bash", "-c", called));
    }

    /** It would be another name. */
    @Test
    void aNameInALocaleOfOneByteALetterIsRefused() throws Exception {
        assertThat(inLatin("$run $'b\\xc3\\xbcro' --store " + url() + " -- true")
                        .ends(64)
                        .err())
                .startsWith("belay: ")
                .endsWith("'b??ro' has letters that this locale does not read as UTF-8: set LC_ALL=C.UTF-8\n")
                .containsOnlyOnce("\n");
    }

    /** It would be another database, or another directory than the same file leads to elsewhere. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$run x --store $'mongodb://127.0.0.1:1/b\\xc3\\xbcro' -- true",
                "X=$'b\\xc3\\xbcro' $run x --store 'mongodb://127.0.0.1:1/${X}' -- true",
                "X=$'b\\xc3\\xbcro' $run x --store-file <(echo 'mongodb://127.0.0.1:1/${X}') -- true",
                "$run x --store-file <(echo $'file:b\\xc3\\xbcro') -- true",
            })
    void aUrlInALocaleOfOneByteALetterIsRefused(String script) throws Exception {
        assertThat(inLatin(script).ends(64).err())
                .startsWith("belay: --store")
                .endsWith(" has letters that this locale does not read as UTF-8: set LC_ALL=C.UTF-8\n");
    }

    @Test
    void whatIsTheSameInALocaleOfOneByteALetterIsTaken() throws Exception {
        inLatin("$run x --store $'file:b\\xc3\\xbcro' -- test -d $'b\\xc3\\xbcro'")
                .ends(0);
        inLatin("$run x --store-file <(echo $'mongodb://127.0.0.1:1/b\\xc3\\xbcro?belay-timeout=100ms') -- true")
                .ends(69);
    }

    /** Such letters are no path to Java then, and all the same to a shell. */
    @Test
    void aProgramIsFoundAmongNamesThatTheLocaleDoesNotKnow() throws Exception {
        bash("export LC_ALL=C PATH=/nix/$'\\xc3\\xbc':$PATH; $belay true").ends(0);
        String there = "d=" + directory + "/$'\\xc3\\xbc'; mkdir $d; cp /bin/true $d/good; export LC_ALL=C; ";
        bash(there + "$belay $d/good").ends(0);
        bash(there + "PATH=$PATH:$d; $belay good").ends(0);
        bash(there + "PATH=$d:$PATH; $belay no-such-command").ends(127);
        // Latin-1, where all else is UTF-8: to Java the name of another file.
        there = "d=" + directory + "/$'\\xfc'; mkdir $d; cp /bin/true $d/good; export LC_ALL=C.UTF-8; ";
        bash(there + "$belay $d/good").ends(0);
        bash("d=" + directory + "/$'\\xfc'; export LC_ALL=C.UTF-8 PATH=$PATH:$d; $belay good")
                .ends(0);
    }

    /** By what bash says of a child that a signal has ended, and does not say of one that has ended with that code. */
    @ParameterizedTest
    @CsvSource({"SEGV, Segmentation fault", "KILL, Killed", "HUP, Hangup", "USR1, User defined signal 1"})
    void itsCallerSeesTheSignal(String signal, String said) throws Exception {
        assertThat(bash("ulimit -c 0; $belay sh -c 'kill -s " + signal + " $$'; true")
                        .ends(0)
                        .err())
                .contains(said);
    }

    @Test
    void itsCallerSeesTheCode() throws Exception {
        assertThat(bash("$belay sh -c 'exit 137'; echo code=$?").ends(0).err()).isEmpty();
    }

    /** What the command leaves behind has no descriptor of ours, so that nobody waits for it who reads what belay has written. */
    @Test
    void nothingOfOursReachesADaemon() throws Exception {
        RunProcess process =
                bash("$belay sh -c 'setsid sleep 600 </dev/null >/dev/null 2>&1 & echo pid=$!' 2>&1 | cat; echo over");
        process.ends(0);
        long pid = number(process, "pid");
        try (var descriptors = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            assertThat(descriptors)
                    .allSatisfy(one -> assertThat(Files.readSymbolicLink(one)).hasToString("/dev/null"));
        }
        assertThat(isAlive(pid)).as("its own affair").isTrue();
        RunProcess.send("KILL", pid);
    }

    @Test
    void noProcessOfOursIsLeft() throws Exception {
        Path go = directory.resolve("go");
        RunProcess process = shell("echo ready; " + untilThereIs(go) + "; exit 1");
        process.awaitOut("ready");
        List<ProcessHandle> ours = List.of(process.vm(), process.watcher());
        Files.createFile(go);
        process.ends(1);
        ours.forEach(one -> awaitGone(one.pid()));
        assertThat(process.err()).isEmpty();
    }

    /**
     * A Java VM that nobody listens to would hold the lock for a command that never begins. What lies at the descriptor is left as it
     * is: if that is closed, it is a file of the JDK's.
     */
    @ParameterizedTest
    @CsvSource({"false, >>kept", "true, >>kept", "true, >&-"})
    void withoutTheScriptItIsRefused(boolean property, String output) throws Exception {
        Path kept = Files.writeString(directory.resolve("kept"), "as it was");
        Path modules = Path.of(System.getProperty("java.home"), "lib", "modules");
        long size = Files.size(modules);
        String java = quoted(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dbelay.launched=" + property,
                "-cp",
                System.getProperty("java.class.path"),
                "io.belay.cli.Main",
                "run",
                "x",
                "--store",
                url(),
                "--",
                "true"));
        assertThat(start(List.of("bash", "-c", "cd " + directory + "; " + java + " " + output))
                        .ends(64)
                        .err())
                .isEqualTo("belay: run and lead are started by the script 'belay', not by java: call that\n");
        assertThat(kept).hasContent("as it was");
        assertThat(Files.size(modules)).isEqualTo(size);
    }

    @Test
    void itsCodesAndOursCanBeToldApart() throws Exception {
        bash("$belay sh -c 'exit 75'").ends(75);
        List<String> words = List.of("run", "x", "--store", url(), "--own-exit-code", "200");
        start(with(words, "--", "sh", "-c", "exit 75")).ends(75);
        start(with(words, "--", "no-such-command")).ends(200);
        start(with(words, "true")).ends(200);
        RunProcess holder = start(with(words, "-c", "echo ready; exec sleep 600"));
        holder.awaitOut("ready");
        start(with(words, "-n", "-q", "--", "true")).ends(200);
        start(with(words, "-n", "-q", "-E", "9", "--", "true")).ends(9);
        RunProcess.send("KILL", holder.vm().pid());
        holder.ends(200);
        assertThat(holder.err()).contains("has died; ending the command");
    }

    private static String[] with(List<String> words, String... more) {
        return Stream.concat(words.stream(), Arrays.stream(more)).toArray(String[]::new);
    }
}
