package io.belay.cli.run;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.cli.inspect.ClaimTable;
import io.belay.cli.text.Text;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The run of a command under a lease: from its start to the release, or to the end of its last descendant after a loss. */
final class Supervision {
    /** The variable that has the lock's name. */
    static final String LOCK = "BELAY_LOCK";

    private final Belay belay;
    private final Lease lease;
    private final RunOptions options;
    private final Launcher launcher;
    private final Watcher watcher;
    private final String shown;
    private final long acquired = System.nanoTime();
    private final ExecutorService teller = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "belay-told");
        thread.setDaemon(true); // it may wait for a reader who stands still
        return thread;
    });

    /**
     * What became of a command.
     *
     * @param exitCode the exit code to end with
     * @param lost whether the lease was over before the command
     */
    record Outcome(int exitCode, boolean lost) {}

    Supervision(Belay belay, Lease lease, RunOptions options, Launcher launcher, Watcher watcher) {
        this.belay = belay;
        this.lease = lease;
        this.options = options;
        this.launcher = launcher;
        this.watcher = watcher;
        shown = Text.printable(options.name());
    }

    /** Tells that if the user wants to know; nobody waits for that, as the lock is held by now. */
    Supervision telling(String begun) {
        if (options.isVerbose()) {
            tell(begun);
        }
        return this;
    }

    /**
     * Runs the command to its end, and gives the lock back.
     *
     * @param ends whether the command is ended when the lease is over
     * @throws InterruptedException if a signal came before the command was there
     */
    Outcome run(boolean ends) throws InterruptedException {
        try {
            return runHeld(ends);
        } finally {
            lease.release(); // where it has not come to that
        }
    }

    private Outcome runHeld(boolean ends) throws InterruptedException {
        if (!isSure()) {
            System.err.println("belay: the lock '" + shown + "' was lost before " + options.program() + " began");
            return new Outcome(options.ownExitCode(ExitCodes.LOST), true);
        }
        watcher.held(options.name(), lease.token());
        try {
            return runWatched(ends);
        } finally {
            watcher.free();
        }
    }

    private Outcome runWatched(boolean ends) throws InterruptedException {
        LeaseWatch watch =
                new LeaseWatch(lease, options.grace(), options.killing(), longest(), new LeaseWatch.Listener() {
                    @Override
                    public void runsFor(Duration time) {
                        if (ends) {
                            watcher.killIn(time);
                        }
                    }

                    @Override
                    public void over(String what, Duration grace) {
                        if (ends) {
                            end(what, grace);
                        } else {
                            tell(what + "; the command goes on without it");
                        }
                    }

                    @Override
                    public void cut(String what, Duration grace) {
                        end(what, grace);
                        launcher.ended();
                    }
                });
        String orphaned = "the script that had started " + options.program() + " was killed";
        Launcher.Call call =
                new Launcher.Call(options.name(), lease.token(), options.words(), options.ownExitCode(ExitCodes.LOST));
        if (ends) {
            // A process that is stopped while the command begins tells nothing more: the watcher finds that by its
            // marks.
            tellEnd();
        }
        Runnable meanwhile = () -> {
            if (ends && lease.isHeld()) {
                tellEnd(); // the lease is renewed, however long the command takes to begin
            }
        };
        int exitCode;
        try {
            watcher.command(launcher.start(call, meanwhile, () -> watch.cut(orphaned)));
            watch.start();
            exitCode = launcher.await();
        } catch (RuntimeException | Error e) { // no thread is to be had, say: then nobody would watch
            end("the lock cannot be watched (" + e + ")", options.grace());
            throw e;
        }
        boolean lost = watch.finish();
        watcher.ended();
        ReleaseOutcome release = lease.release();
        awaitTold();
        options.tell(options.program() + " ended with exit code " + exitCode);
        if (release == ReleaseOutcome.ALREADY_LOST && !lost) {
            System.err.println("belay: the lock '" + shown + "' was lost before " + options.program() + " ended");
        } else if (release == ReleaseOutcome.UNKNOWN) {
            System.err.println("belay: the store does not answer: the lock '" + shown
                    + "' is free when it has, or when the lease ends");
        }
        lost |= release == ReleaseOutcome.ALREADY_LOST;
        if (lost) {
            System.err.println("belay: " + whoHasItNow());
        }
        return new Outcome(lost && ends ? options.ownExitCode(ExitCodes.LOST) : exitCode, lost);
    }

    /** Returns when it has been held for as long as it may be, a {@link System#nanoTime()}. */
    private long longest() {
        return acquired + options.maxHold().map(Duration::toNanos).orElse(Long.MAX_VALUE / 2);
    }

    private void tellEnd() {
        watcher.killIn(lease.remaining().minus(options.killing()));
    }

    /** Waits until the lease runs for longer than the notice: one that was granted by a push is short until it is confirmed. */
    private boolean isSure() throws InterruptedException {
        while (lease.remaining().compareTo(options.notice()) <= 0) {
            if (!lease.isHeld()) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
    }

    private void end(String what, Duration grace) {
        tell(what + "; ending the command");
        String left = watcher.end(grace);
        if (!left.isEmpty()) {
            tell("these processes could not be ended, and may go on without the lock: " + left);
        }
    }

    /**
     * Tells that, which may have the name of whoever took the lock away, and waits for nobody who is to read it: the command is to end,
     * and the lock to be given back, all the same.
     */
    private void tell(String what) {
        String line = "belay: " + Text.printable(what);
        try {
            teller.execute(() -> System.err.println(line));
        } catch (Error e) {
            // no thread is to be had
        }
    }

    /** Lets what was told come before what is told next, if anybody reads it. */
    private void awaitTold() {
        teller.shutdown();
        try {
            var unused = teller.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String whoHasItNow() {
        try {
            return belay.admin().inspect(options.name()).claims().stream()
                    .filter(claim -> claim.place() == 0)
                    .findFirst()
                    .map(claim -> ClaimTable.who(claim) + " has " + shown + " now")
                    .orElse("nobody has " + shown + " now");
        } catch (BelayException e) {
            return "who has " + shown + " now is not known, as the store does not answer";
        }
    }
}
