package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Premise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any one of the processes that a run consists of is killed, and the command does not go on beside the next holder. */
abstract class DeathSuite extends RunHarness {
    /** The forms that a command may have; each of its processes gives a sign every few milliseconds, and ignores SIGTERM. */
    enum Shape {
        ALONE("SIGNS"),
        CHILDREN("sh -c 'SIGNS' & sh -c 'SIGNS' & SIGNS"),
        PIPELINE("sh -c 'SIGNS' | sh -c 'SIGNS' | cat"),
        ORPHAN("(sh -c 'SIGNS' &); SIGNS"),
        DAEMON("setsid sh -c 'SIGNS' </dev/null >/dev/null 2>&1 & SIGNS"),
        /** It has neither parents in the family nor a shell of its own that would pass anything on. */
        ORPHANED_DAEMON("(setsid sh -c 'sh -c \"SIGNS\" & exit' &) ; SIGNS");

        private final String form;

        Shape(String form) {
            this.form = form;
        }

        String command(Path signs) {
            String loop = "trap \"\" TERM; while :; do echo old >>" + signs + "; sleep 0.01; done";
            String inner = form.contains("\"SIGNS\"") ? form.replace("\"SIGNS\"", "\"" + escaped(loop) + "\"") : form;
            return "echo token=$BELAY_TOKEN; trap '' TERM; " + inner.replace("SIGNS", loop);
        }
    }

    enum Victim {
        LAUNCHER,
        VM;

        long pid(RunProcess process) {
            return this == LAUNCHER ? process.pid() : process.vm().pid();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoHasTheLockIsKilled(Shape shape) throws Exception {
        Premise.withLease(Duration.ofSeconds(6), lease -> theNextComesAfterTheLast(shape, Victim.VM, lease));
    }

    void theNextComesAfterTheLast(Shape shape, Victim victim, Duration lease) throws Exception {
        Path signs = Files.createTempFile(directory, "signs", "");
        RunProcess process = shell(shape.command(signs), options(lease));
        long token = number(process, "token");
        process.watcher();
        try (Belay belay = Belay.connect(url())) {
            RunProcess next = shell("echo new >>" + signs);
            Awaitility.await().until(() -> {
                Premise.check(process.isAlive(), "the lock is held until its holder is killed");
                return belay.admin().inspect("x").claims().size() == 2 && Files.size(signs) > 100;
            });
            RunProcess.send("KILL", victim.pid(process));
            next.ends(0);
            awaitNoneOf(token);
            List<String> all = Files.readAllLines(signs);
            assertThat(all.subList(0, all.size() - 1))
                    .as("a sign of the former one")
                    .containsOnly("old");
            assertThat(all).last().isEqualTo("new");
        }
        assertThat(process.exitCode()).isEqualTo(victim == Victim.VM ? 79 : 137);
        assertThat(process.err()).contains("; ending the command");
    }

    /** Whoever lets a command go on after a loss has not asked for one that nobody waits for. */
    @Test
    void aCommandThatGoesOnAfterALossEndsWithTheScript() throws Exception {
        RunProcess process = shell("echo token=$BELAY_TOKEN; exec sleep 600", "--on-lost", "continue");
        long token = number(process, "token");
        try (Belay belay = Belay.connect(url())) {
            Premise.check(belay.admin().forceRelease("x"), "the lock is held");
        }
        Awaitility.await().until(() -> process.err().contains("goes on without it"));
        ProcessHandle vm = process.vm();
        RunProcess.send("KILL", process.pid());
        awaitNoneOf(token);
        vm.onExit().join();
    }

    /** Nobody waits for the lease where the family is gone before. */
    @Test
    void theLockIsGivenBackWhenTheFamilyIsGone() throws Exception {
        RunProcess process = shell("echo token=$BELAY_TOKEN; exec sleep 600", "--lease", "10m");
        long token = number(process, "token");
        process.watcher();
        RunProcess.send("KILL", process.vm().pid());
        awaitNoneOf(token);
        shell("true").ends(0);
        process.ends(79);
    }

    /** Whoever asked for it to stay taken has not asked for a holder that lives. */
    @Test
    void aLockThatIsToStayTakenIsNotGivenBack() throws Exception {
        RunProcess process = shell("echo token=$BELAY_TOKEN; exec sleep 600", "--at-least", "10m");
        long token = number(process, "token");
        ProcessHandle watcher = process.watcher();
        RunProcess.send("KILL", process.vm().pid());
        process.ends(79);
        awaitNoneOf(token);
        watcher.onExit().join();
        answered(run("x", "true", "-n")).ends(75);
    }

    @Test
    void aLeaderWhoseScriptIsKilledBetweenTwoTermsStandsNoMore() throws Exception {
        String command = "echo ready; exec sleep 600";
        RunProcess leader = start(
                "lead",
                "x",
                "--store",
                url(),
                "--lease",
                "3s",
                "--grace",
                "300ms",
                "--max-hold",
                "1500ms",
                "-c",
                command);
        leader.awaitOut("ready");
        ProcessHandle vm = leader.vm();
        try (Belay belay = Belay.connect(url());
                Lease term = belay.election("x", LockOptions.defaults()).campaign()) {
            Awaitility.await().until(() -> belay.admin().inspect("x").claims().size() == 2);
            RunProcess.send("KILL", leader.pid());
            vm.onExit().join();
            Awaitility.await().until(() -> belay.admin().inspect("x").claims().size() == 1);
            term.ensureHeld();
        }
    }

    /** The watcher is there before the lock is held, and again if it was killed; what nobody holds it gives nobody back. */
    @Test
    void whoIsKilledWhileItWaitsLeavesNothing() throws Exception {
        RunProcess first = shell("echo ready; exec sleep 600");
        first.awaitOut("ready");
        RunProcess second = shell("echo no");
        try (Belay belay = Belay.connect(url())) {
            Awaitility.await().until(() -> belay.admin().inspect("x").claims().size() == 2);
            ProcessHandle former = second.watcher();
            RunProcess.send("KILL", former.pid());
            Awaitility.await().until(() -> second.watcher().pid() != former.pid());
            ProcessHandle watcher = second.watcher();
            RunProcess.send("KILL", second.vm().pid());
            second.ends(69);
            watcher.onExit().join();
            assertThat(second.out() + second.err()).isEmpty();
        }
    }

    /** One watcher serves all terms of a leader. */
    @Test
    void whoLeadsOnceMoreIsKilled() throws Exception {
        String command = "echo token=$BELAY_TOKEN; exec sleep 600";
        RunProcess leader = start("lead", "x", "--store", url(), "--lease", "10m", "--grace", "300ms", "-c", command);
        long first = number(leader, "token");
        ProcessHandle watcher = leader.watcher();
        try (Belay belay = Belay.connect(url())) {
            Premise.check(belay.admin().forceRelease("x"), "the lock is held");
        }
        Awaitility.await().until(() -> leader.out().lines().count() == 2);
        long second = Long.parseLong(leader.out().lines().toList().get(1).replace("token=", ""));
        assertThat(second).isGreaterThan(first);
        assertThat(leader.watcher()).isEqualTo(watcher);
        RunProcess.send("KILL", leader.vm().pid());
        leader.ends(79);
        awaitNoneOf(second);
        shell("true").ends(0);
    }
}
