package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code belay run} and {@code belay lead} promise, by real processes, signals and kills, on one store. */
abstract class RunSuite extends RunHarness {
    /** Each attempt starts JVMs one after the other, and may be the fifth. */
    private static final int ATTEMPTS_MINUTES = 30;

    @Test
    @Timeout(value = ATTEMPTS_MINUTES, unit = TimeUnit.MINUTES)
    void whoDoesNotWaitIsToldWhoHasIt() throws Exception {
        Premise.withLease(SHORT, lease -> whoDoesNotWaitIsTold());
    }

    private void whoDoesNotWaitIsTold() throws Exception {
        try (Belay belay = Belay.connect(url());
                Lease held = belay.onBehalfOf("order 7").lock("x").acquire()) {
            RunProcess refused = answered(run("x", "echo no", "-n")).ends(75);
            Premise.check(!refused.err().contains("taken by others"), "who has it is read in time");
            assertThat(refused.err()).contains("x is taken by", " for order 7");
            RunProcess quiet =
                    answered(run("x", "echo no", "-n", "-E", "9", "-q")).ends(9);
            Premise.check(!quiet.err().contains("in time"), "the store answers in time");
            assertThat(quiet.err()).isEmpty();
            RunProcess limited = answered(run("x", "echo no", "-w", "0.3")).ends(75);
            assertThat(limited.out()).isEmpty();
            held.ensureHeld();
        }
    }

    @Test
    void whoWaitsHasItNext() throws Exception {
        try (Belay belay = Belay.connect(url())) {
            Lease held = belay.lock("x").acquire();
            RunProcess waiting = shell("echo token=$BELAY_TOKEN", "-w", Long.toString(Pace.seconds()));
            Awaitility.await().until(() -> isWaitedFor(belay));
            held.release();
            waiting.ends(0);
            assertThat(number(waiting, "token")).isGreaterThan(held.token());
        }
    }

    /** Returns whether x is held and waited for; that is not known where the store does not answer in time. */
    private static boolean isWaitedFor(Belay belay) {
        try {
            return belay.admin().inspect("x").claims().size() == 2;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    @Tag("long")
    void whoAsksForTheLockItRunsUnderIsWarned() throws Exception {
        RunProcess outer = answered(run("x", quoted(run("x", "true", "-n"))));
        assertThat(outer.ends(75).err()).contains("this runs under x already");
    }

    @Test
    @Tag("long")
    void readersShareAndPermitsAreCounted() throws Exception {
        try (Belay belay = Belay.connect(url())) {
            try (Lease reading = belay.readWriteLock("x").readLock().acquire()) {
                answered(run("x", "true", "-s", "-n")).ends(0);
                answered(run("x", "true", "-x", "-n")).ends(75);
                reading.ensureHeld();
            }
            try (Lease some = belay.semaphore("permits", 5).permits(3).acquire()) {
                answered(run("permits", "true", "-n", "--permits", "2/5")).ends(0);
                answered(run("permits", "true", "-n", "--permits", "2")).ends(0);
                answered(run("permits", "true", "-n", "--permits", "3/5")).ends(75);
                RunProcess fewer = answered(run("permits", "true", "-n", "--permits", "1/4"));
                assertThat(fewer.ends(69).err()).contains("a semaphore of 5 permits");
                some.ensureHeld();
            }
        }
    }

    @Test
    @Tag("long")
    void aLockIsKeptForAsLongAsAsked() throws Exception {
        shell("true", "--at-least", "10m").ends(0);
        assertThat(answered(run("x", "true", "-n")).ends(75).err()).contains("x is taken by");
    }

    @Test
    @Tag("long")
    void theLongestHoldEndsTheCommand() throws Exception {
        Premise.withLease(Duration.ofSeconds(2), hold -> {
            String lease = 2 * hold.toSeconds() + "s";
            String longest = hold.toSeconds() + "s";
            RunProcess process =
                    shell("echo pid=$$; sleep 600", "--lease", lease, "--grace", "500ms", "--max-hold", longest);
            long pid = number(process, "pid");
            process.ends(79);
            awaitGone(pid);
            Premise.check(
                    !process.err().matches("(?s).*(belay: |as )the store does not answer.*"),
                    "the store answers in time");
            assertThat(process.err()).contains("ending the command", "nobody has x now");
        });
    }

    /** The worst family: it ignores SIGTERM, and one of it has lost its parents. It is gone within a lease. */
    @Test
    @Timeout(value = ATTEMPTS_MINUTES, unit = TimeUnit.MINUTES)
    void aLossEndsTheWholeFamily() throws Exception {
        Premise.withLease(SHORT, this::aLossEndsTheWholeFamily);
    }

    private void aLossEndsTheWholeFamily(Duration lease) throws Exception {
        String stubborn = "trap '' TERM; echo NAME=$$; while :; do sleep 0.05; done";
        RunProcess process = shell(
                "trap '' TERM; sh -c \"" + escaped(stubborn.replace("NAME", "child")) + "\" & (sh -c \""
                        + escaped(stubborn.replace("NAME", "orphan")) + "\" &) ; echo root=$$; wait; sleep 600",
                options(lease));
        Awaitility.await().until(() -> !process.isAlive() || process.out().matches("(?s)(\\w+=\\d+\n){3}"));
        Premise.check(process.isAlive(), "the lock is held until the family is complete");
        List<Long> family = List.of(number(process, "root"), number(process, "child"), number(process, "orphan"));
        try (Belay belay = Belay.connect(url())) {
            // Who waits already has the lock by the time at which it is told who has it.
            CompletableFuture<Lease> waiting =
                    belay.onBehalfOf("the next").lock("x").acquireAsync();
            Awaitility.await().until(() -> waiting.isDone() || isWaitedFor(belay));
            try (Stalls stalls = Stalls.watch()) {
                Premise.check(!waiting.isDone() && isTakenAway(belay), "the lock is held, and the store answers");
                try (Lease next = waiting.join()) {
                    family.forEach(RunSuite::awaitGone);
                    stalls.inTime(stalls.taken().compareTo(lease) < 0, "the whole family is gone");
                    process.ends(79);
                    Premise.check(
                            process.err().contains("the test"),
                            "it is taken away from the family, which reads by whom within half a second");
                    next.ensureHeld();
                }
            }
        }
        Premise.check(
                !process.err().contains("the store does not answer"), "it is renewed, and who has it is read, in time");
        assertThat(process.err()).containsOnlyOnce("Lost the lock 'x'").contains("for the next has x now");
    }

    /** Takes x away; returns whether anybody had it, and the store has said so in time. */
    /** Or whoever may take it away would write to the terminal of whoever loses it. */
    @Test
    @Tag("long")
    void whoTookTheLockAwayIsToldAsOneLine() throws Exception {
        Premise.withLease(SHORT, lease -> whoTookTheLockAwayIsTold());
    }

    private void whoTookTheLockAwayIsTold() throws Exception {
        RunProcess process = shell("echo ready; exec sleep 600");
        process.awaitOut("ready");
        try (Belay belay = Belay.connect(url(), BelayOptions.defaults().withClientName("a\nz\u001b[2J"))) {
            Premise.check(isTakenAway(belay), "the store answers");
        }
        process.ends(79);
        Premise.check(process.err().contains("the test"), "by whom it is taken away is read within half a second");
        assertThat(process.err()).contains("by a?z?[2J (").doesNotContain("\u001b", "\nz");
    }

    private static boolean isTakenAway(Belay belay) {
        BelayAdmin admin = belay.onBehalfOf("the test").admin();
        try {
            return admin.forceRelease("x");
        } catch (StoreUnavailableException e) {
            // Who keeps it would keep it from the next attempt.
            Awaitility.await()
                    .ignoreException(StoreUnavailableException.class)
                    .untilAsserted(() -> admin.forceRelease("x"));
            return false;
        }
    }

    @Test
    @Tag("long")
    void aLossIsOnlyToldWhereAskedFor() throws Exception {
        Path go = directory.resolve("go");
        RunProcess process = shell("echo ready; " + untilThereIs(go) + "; echo done; exit 6", "--on-lost", "continue");
        process.awaitOut("ready");
        try (Belay belay = Belay.connect(url())) {
            belay.admin().forceRelease("x");
            // Whoever goes at once takes its message along, and then the next renewal tells it.
            Awaitility.await().until(() -> process.err().contains("Lost the lock 'x'"));
            Files.createFile(go);
            assertThat(process.ends(6).out()).contains("done");
        }
        assertThat(process.err()).containsOnlyOnce("Lost the lock 'x'").contains("the command goes on without it");
    }

    /** Whoever stands still for longer than the lease has lost it, and the command does not wait for that to be noticed. */
    @Test
    @Tag("long")
    void theCommandOfAStoppedBelayIsGoneWhenTheLeaseIsOver() throws Exception {
        Premise.withLease(SHORT, this::theCommandOfAStoppedBelay);
    }

    private void theCommandOfAStoppedBelay(Duration lease) throws Exception {
        RunProcess process = shell("trap '' TERM; echo pid=$$; while :; do sleep 0.05; done", options(lease));
        long pid = number(process, "pid");
        long vm = process.vm().pid();
        process.watcher();
        try (Belay belay = Belay.connect(url());
                Stalls stalls = Stalls.watch(3)) { // the script looks at all processes, kills, and looks again
            process.signal("STOP");
            RunProcess.send("STOP", vm);
            try (Lease next = belay.lock("x").acquire()) {
                stalls.inTime(!isAlive(pid), "the command is gone before the next holder comes");
                RunProcess.send("CONT", vm);
                RunProcess.send("CONT", process.pid());
                process.ends(79);
                awaitGone(pid);
                next.ensureHeld();
            }
        }
    }

    /** What is begun while the family is being ended is ended, too, and nobody forgets it over those that came before. */
    @Test
    @Tag("long")
    void aLossEndsManyThatBeginLate() throws Exception {
        Premise.withLease(Duration.ofSeconds(3), this::aLossEndsManyThatBeginLate);
    }

    private void aLossEndsManyThatBeginLate(Duration lease) throws Exception {
        String command = "trap '' TERM; echo token=$BELAY_TOKEN; i=0; while [ $i -lt 300 ]; do i=$((i + 1));"
                + " (trap '' TERM; exec sleep 600) & done; echo ready; wait";
        RunProcess process = shell(command, "--lease", lease.toSeconds() + "s", "--grace", "20ms");
        long token = number(process, "token");
        try (Belay belay = Belay.connect(url())) {
            Premise.check(belay.admin().forceRelease("x"), "the lock is held");
        }
        process.ends(79);
        assertThat(marked(token)).isZero();
        assertThat(process.err()).doesNotContain("could not be ended");
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

    /** As a daemon does that reads its configuration anew. */
    @Test
    @Tag("long")
    void aLeaderWhoseCommandGoesOnAfterAHangUpStandsAgain() throws Exception {
        String command = "trap 'echo again' HUP; echo leads=$BELAY_TOKEN; while :; do sleep 0.05; done";
        RunProcess leader = start("lead", "boss", "--store", url(), "-c", command);
        long first = number(leader, "leads");
        leader.signal("HUP");
        leader.awaitOut("again");
        try (Belay belay = Belay.connect(url())) {
            Premise.check(belay.admin().forceRelease("boss"), "the election is won");
        }
        Awaitility.await().until(() -> {
            assertThat(leader.isAlive()).as(leader.err()).isTrue();
            return number(leader, "leads") > first;
        });
    }

    @Test
    @Tag("long")
    void aLeaderWhoseCommandEndsGoes() throws Exception {
        start("lead", "boss", "--store", url(), "-c", "exit 4").ends(4);
        try (Belay belay = Belay.connect(url())) {
            assertThat(belay.election("boss", LockOptions.defaults()).leader()).isEmpty();
        }
    }
}
