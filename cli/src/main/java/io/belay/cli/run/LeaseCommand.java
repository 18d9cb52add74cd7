package io.belay.cli.run;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.cli.process.ErrorLog;
import io.belay.cli.text.CliException;
import io.belay.cli.text.FailureCodes;
import io.belay.cli.text.UrlOptions;
import io.belay.support.LogName;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** What {@code run} and {@code lead} have in common: both check all they can, connect, and run the user's command. */
abstract class LeaseCommand implements Callable<Integer>, FailureCodes {
    /** The variable by which a watcher tells that this is not to run a command, but to give back what another has left. */
    private static final String GIVE_BACK = "BELAY_GIVE_BACK";

    /** Any time will do for an end that is fixed anew with each renewal, and then lasts whatever becomes of the process. */
    private static final Duration MOMENT = Duration.ofMillis(1);

    @Mixin
    final RunOptions options = new RunOptions();

    @Override
    public int usage() {
        return options.ownExitCode(ExitCodes.USAGE);
    }

    @Override
    public int of(Throwable e) {
        return options.ownExitCode(ExitCodes.of(e));
    }

    @Override
    public Integer call() {
        LockOptions how = lockOptions();
        String program = options.program();
        String url = options.url();
        String orphaned = System.getenv(GIVE_BACK);
        if (orphaned != null) {
            if (how.atLeast().isEmpty()) { // else it ends by itself, and no sooner than was asked for
                OrphanedClaim.giveBack(url, options.name(), Long.parseLong(orphaned));
            }
            return 0;
        }
        Programs.require(program); // none is needed to give a lock back, and it may be gone by then
        String missing = Watcher.missing();
        if (!missing.isEmpty()) {
            throw CliException.usage(
                    "there is no " + missing + " here, which ends a command in time: install bash and util-linux");
        }
        warn();
        ErrorLog.leaveOut(LogName.LEASE, LogName.WAITS);
        try (Launcher launcher = Launcher.open();
                Watcher watcher = new Watcher(options.grace())) {
            return connect(url, how, launcher, watcher);
        }
    }

    private int connect(String url, LockOptions how, Launcher launcher, Watcher watcher) {
        try (Belay belay = Belay.connect(url, belayOptions())) {
            watcher.require();
            return run(belay, outliving(how, belay, url), launcher, watcher);
        } catch (InterruptedException e) {
            return launcher.signalCode();
        } catch (BelayException e) {
            if (launcher.hasSignal()) {
                return launcher.signalCode(); // the store was not to be waited for any longer
            }
            throw e;
        }
    }

    /**
     * Has the claim stand until its lease ends, whatever becomes of this process: where a store notices that its client has died,
     * the next holder would begin at once, beside the command.
     */
    private static LockOptions outliving(LockOptions how, Belay belay, String url) {
        return how.atLeast().isEmpty() && knowsLeases(belay, url) ? how.withAtLeast(MOMENT) : how;
    }

    private static boolean knowsLeases(Belay belay, String url) {
        try {
            return belay.admin().capabilities().leasePerClaim();
        } catch (StoreUnavailableException e) {
            return UrlOptions.isFile(url); // no other store that has such leases notices who dies here
        }
    }

    /** Returns how this process is a client. */
    BelayOptions belayOptions() {
        return options.belayOptions();
    }

    /** Returns how the lock is held, and refuses options that cannot be kept. */
    LockOptions lockOptions() {
        return options.lockOptions();
    }

    /** Warns of what may surprise the user. */
    void warn() {}

    /**
     * Runs the user's command under a lease, and returns the exit code.
     *
     * @throws InterruptedException if a signal came while no command ran
     */
    abstract int run(Belay belay, LockOptions how, Launcher launcher, Watcher watcher) throws InterruptedException;
}
