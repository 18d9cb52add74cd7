package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the watcher of a command makes of lines that come in parts, as the process that writes them may stand still meanwhile. */
@Tag("processes")
class WatchScriptTest {
    /** Longer than the watcher waits for a line. */
    private static final long MEANWHILE = 1_500;

    @TempDir
    private Path directory;

    private Process watcher;
    private Process command;

    @BeforeEach
    void start() throws IOException {
        start(ProcessBuilder.Redirect.to(directory.resolve("err").toFile()));
    }

    private void start(ProcessBuilder.Redirect err) throws IOException {
        start(script(), err);
    }

    private void start(String script, ProcessBuilder.Redirect err) throws IOException {
        command = new ProcessBuilder("sleep", "600").start();
        watcher = watcher(script, err);
    }

    private static String script() throws IOException {
        return Files.readString(Path.of("src/main/resources/io/belay/cli/run/watch.sh"));
    }

    /** The holder is another process than this one, so that nothing is called to give anything back. */
    private static Process watcher(String script, ProcessBuilder.Redirect err) throws IOException {
        return new ProcessBuilder("bash", "-p", "-c", script, "belay-watcher", "0", "1")
                .redirectError(err)
                .start();
    }

    @AfterEach
    void end() {
        watcher.destroyForcibly();
        command.destroyForcibly();
    }

    /** Whoever begins to listen later takes both parts for one. */
    private void awaitListening() throws IOException {
        tell("end 0\n");
        assertThat(watcher.inputReader().readLine()).isEmpty();
    }

    @Test
    void anEndIsHeededWhenItIsKnownWhole() throws Exception {
        awaitListening();
        tell("command " + command.pid() + "\nuntil 99");
        Thread.sleep(MEANWHILE);
        tell("999999999999\nended\n");
        watcher.getOutputStream().close();
        watcher.waitFor();
        assertThat(command.isAlive()).isTrue();
        assertThat(directory.resolve("err")).isEmptyFile();
    }

    @Test
    void aCommandIsKnownByAWholeLine() throws Exception {
        awaitListening();
        tell("comm");
        Thread.sleep(MEANWHILE);
        tell("and " + command.pid() + "\nend 0\n");
        watcher.getOutputStream().close();
        watcher.waitFor();
        // It was killed, and may not have ended yet.
        assertThat(command.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aCommandThatNobodyTellsOfIsFoundByItsMarksWhenTheLeaseIsOver() throws Exception {
        ProcessBuilder marked = new ProcessBuilder("sleep", "600");
        marked.environment().put("BELAY_LOCK", "x");
        marked.environment().put("BELAY_TOKEN", "17");
        Process untold = marked.start();
        try {
            tell("marks 17 x\nuntil 1\n");
            assertThat(untold.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(command.isAlive()).isTrue();
            assertThat(Files.readString(directory.resolve("err"))).contains("its lease is over");
        } finally {
            untold.destroyForcibly();
        }
    }

    /** A container may have an uptime of its own, and begins with the command: to bash what begins with a 0 is octal. */
    @ParameterizedTest
    @ValueSource(strings = {"0.07", "0.48", "0.99", "10.08"})
    void theFirstSecondOfAnUptimeIsRead(String uptime) throws Exception {
        end();
        Path read = Files.writeString(directory.resolve("uptime"), uptime + " 0.00\n");
        Path err = Files.createFile(directory.resolve("none"));
        start(script().replace("/proc/uptime", read.toString()), ProcessBuilder.Redirect.to(err.toFile()));
        tell("marks 17 x\nuntil 2523\ncommand " + command.pid() + "\nend 0\n");
        assertThat(watcher.inputReader().readLine()).as("it has read on").isEmpty();
        assertThat(command.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(err).as("and ended nothing by itself").isEmptyFile();
    }

    /** As behind {@code 2>&1 | head -1}. */
    @Test
    void aCommandIsEndedThoughNobodyReadsWhatIsSaid() throws Exception {
        end();
        start(ProcessBuilder.Redirect.PIPE);
        watcher.getErrorStream().close();
        tell("command " + command.pid() + "\nuntil 1\n");
        assertThat(command.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** As behind {@code 2>&1 | less}, which reads as far as its user does. */
    @Test
    void aCommandIsEndedThoughTheReaderOfWhatIsSaidStandsStill() throws Exception {
        end();
        start(ProcessBuilder.Redirect.PIPE);
        String full = "dd if=/dev/zero of=/proc/" + watcher.pid() + "/fd/2 oflag=nonblock bs=4096 2>&1";
        Process filling = new ProcessBuilder("sh", "-c", "LC_ALL=C " + full).start();
        assertThat(filling.inputReader().lines()).anyMatch(line -> line.contains("temporarily unavailable"));
        tell("command " + command.pid() + "\nuntil 1\nend 0\n");
        assertThat(command.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(watcher.inputReader().readLine()).as("it goes on").isEmpty();
    }

    /** The process is a zombie by its first thread, as of a program that ends that one by itself. */
    @Test
    void aCommandWhoseFirstThreadHasEndedIsEnded() throws Exception {
        Integer exit = Map.of("amd64", 60, "aarch64", 93).get(System.getProperty("os.arch"));
        assumeTrue(exit != null, "the number of the call is known");
        assumeTrue(perl("").waitFor() == 0, "there is a Perl with threads");
        Process half = perl("threads->create(sub { sleep 600 }); syscall(" + exit + ", 0)");
        try {
            RunHarness.awaitGone(half.pid());
            tell("command " + half.pid() + "\nend 0\n");
            assertThat(watcher.inputReader().readLine()).isEmpty();
            assertThat(half.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            half.destroyForcibly();
        }
    }

    /** As where the process that holds the lock has died, and its watcher learns that when the lease is over. */
    @Test
    void whatIsKnownStandsStillBeforeTheRestIsLookedForWhereTheLeaseIsOver() throws Exception {
        end();
        command = new ProcessBuilder("sleep", "600").start();
        String functions = script().split("\nwhile hear", 2)[0];
        watcher = watcher(
                functions + "\nlook() { read -r -u \"$silence\"; }; examine " + command.pid() + "; family["
                        + command.pid() + "]=$born until=1; end 999999",
                ProcessBuilder.Redirect.INHERIT);
        Path stat = Path.of("/proc/" + command.pid() + "/stat");
        Awaitility.await().until(() -> Files.readString(stat).contains(") T "));
    }

    private static Process perl(String script) throws IOException {
        return new ProcessBuilder("sh", "-c", "exec perl -Mthreads -e '" + script + "'").start();
    }

    /** One that ignores SIGTERM lives until its time is over. */
    @Test
    void whatWasEndedWhenItsTimeIsOverIsNotEndedOnceMore() throws Exception {
        Premise.withLease(Duration.ofSeconds(1), time -> {
            end();
            start();
            Process deaf = new ProcessBuilder("bash", "-c", "trap '' TERM; echo; exec sleep 600").start();
            try (Stalls stalls = Stalls.watch()) {
                assertThat(deaf.inputReader().readLine()).isEmpty();
                long until = Uptime.hundredths() + time.toMillis() / 10;
                tell("command " + deaf.pid() + "\nuntil " + until + "\nend 999999999999\n");
                assertThat(watcher.inputReader().readLine()).isEmpty();
                tell("ended\n");
                watcher.getOutputStream().close();
                watcher.waitFor();
                assertThat(deaf.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
                stalls.inTime(
                        Files.readString(directory.resolve("err")).isEmpty(), "it was ended before its time was over");
            } finally {
                deaf.destroyForcibly();
            }
        });
    }

    @Test
    void whatGoesOnIsAskedToEndAgainEachSecond() throws Exception {
        String deaf = "trap 'echo asked' TERM; echo; while :; do read -r -t 0.1; done";
        Premise.withLease(Duration.ofMillis(2_500), grace -> {
            command.destroyForcibly();
            command = new ProcessBuilder("bash", "-c", deaf).start();
            assertThat(command.inputReader().readLine()).isEmpty();
            tell("command " + command.pid() + "\nend " + grace.toMillis() / 10 + "\n");
            List<String> asked = command.inputReader().lines().toList();
            assertThat(command.waitFor()).as("killed when the grace is over").isEqualTo(128 + 9);
            Premise.check(asked.size() > 1 || grace.toMinutes() > 0, "it is asked twice in its grace");
            assertThat(asked).hasSizeBetween(2, 1 + (int) grace.toSeconds()).containsOnly("asked");
        });
    }

    private void tell(String text) throws IOException {
        OutputStream to = watcher.getOutputStream();
        to.write(text.getBytes(StandardCharsets.UTF_8));
        to.flush();
    }
}
