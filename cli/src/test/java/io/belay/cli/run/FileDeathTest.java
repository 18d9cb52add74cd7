package io.belay.cli.run;

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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On a directory, where the claims of a dead process are ended at once unless they were made to outlive it. */
@Tag("processes")
@Tag("long")
class FileDeathTest extends DeathSuite {
    @Override
    String url() {
        return "file:" + directory.resolve("locks");
    }

    @ParameterizedTest
    @EnumSource
    void theScriptIsKilled(Shape shape) throws Exception {
        Premise.withLease(Duration.ofSeconds(6), lease -> theNextComesAfterTheLast(shape, Victim.LAUNCHER, lease));
    }

    /** One that is killed is no loss, and another takes its place. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theWatcherIsKilled(int times) throws Exception {
        RunProcess process = shell("echo token=$BELAY_TOKEN; exec sleep 600", "--lease", "10m");
        long token = number(process, "token");
        for (int i = 0; i < times; i++) {
            ProcessHandle watcher = process.watcher();
            RunProcess.send("KILL", watcher.pid());
            watcher.onExit().join();
            Awaitility.await().until(() -> process.watcher().pid() != watcher.pid());
        }
        RunProcess.send("KILL", process.vm().pid());
        process.ends(79);
        awaitNoneOf(token);
        shell("true").ends(0);
    }

    /** To say that there is no other one may wait for who reads it, as behind {@code 2>&1 | less}. */
    @Test
    void aWatcherThatCannotBeReplacedIsNotWaitedFor() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        Path go = directory.resolve("go");
        String script =
                "cd " + directory + "; cp $(command -v setsid bash cat sleep) programs; mkfifo err; exec 9<>err;"
                        + " dd if=/dev/zero of=err oflag=nonblock bs=4096 2>/dev/null; PATH=" + programs + "; exec "
                        + quoted(run("x", "echo ready; " + untilThereIs(go))) + " 2>err";
        RunProcess process = start(List.of("bash", "-c", script));
        process.awaitOut("ready");
        ProcessHandle watcher = process.watcher();
        Files.delete(programs.resolve("setsid"));
        RunProcess.send("KILL", watcher.pid());
        watcher.onExit().join();
        Files.createFile(go);
        process.ends(0);
    }

    /** As a deployment removes what runs. */
    @Test
    void theLockIsGivenBackThoughTheProgramIsRemoved() throws Exception {
        Path program = Files.copy(Path.of("/bin/sh"), directory.resolve("program"));
        String command = "echo token=$BELAY_TOKEN; exec sleep 600";
        RunProcess process =
                start("run", "x", "--store", url(), "--lease", "10m", "--", program.toString(), "-c", command);
        long token = number(process, "token");
        process.watcher();
        Files.delete(program);
        RunProcess.send("KILL", process.vm().pid());
        process.ends(79);
        awaitNoneOf(token);
        shell("true").ends(0);
    }

    /** Its own exit code would be taken for the command's. */
    @Test
    void aVmThatIsKilledWhenTheCommandHasEndedIsToldApart() throws Exception {
        Path go = directory.resolve("go");
        RunProcess process = shell("echo pid=$$; " + untilThereIs(go), "--own-exit-code", "200");
        long pid = number(process, "pid");
        ProcessHandle vm = process.vm();
        RunProcess.send("STOP", vm.pid());
        Files.createFile(go);
        Awaitility.await().until(() -> !Files.exists(Path.of("/proc/" + pid)));
        RunProcess.send("KILL", vm.pid());
        process.ends(200);
        shell("true").ends(0);
    }

    /** One that stands still ends nothing, so that another one takes its place. */
    @Test
    void aWatcherThatIsStoppedIsNotWaitedFor() throws Exception {
        RunProcess process = shell("echo token=$BELAY_TOKEN; exec sleep 600", "--lease", "10m");
        long token = number(process, "token");
        ProcessHandle watcher = process.watcher();
        RunProcess.send("STOP", watcher.pid());
        try (Belay belay = Belay.connect(url())) {
            Premise.check(belay.admin().forceRelease("x"), "the lock is held");
        }
        process.ends(79);
        awaitNoneOf(token);
    }

    @Test
    void aWatcherThatIsStoppedIsReplacedBeforeItIsNeeded() throws Exception {
        Premise.withLease(SHORT, lease -> {
            RunProcess process = shell("exec sleep 600", options(lease));
            ProcessHandle watcher = process.watcher();
            RunProcess.send("STOP", watcher.pid());
            Awaitility.await().until(() -> process.watcher().pid() != watcher.pid());
        });
    }
}
