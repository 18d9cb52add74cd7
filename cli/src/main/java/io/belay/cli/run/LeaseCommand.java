package io.belay.cli.run;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.cli.process.ErrorLog;
import io.belay.cli.text.FailureCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** What {@code run} and {@code lead} have in common: both check all they can, connect, and run the user's command. */
abstract class LeaseCommand implements Callable<Integer>, FailureCodes {
    @Mixin
    final RunOptions options = new RunOptions();

    @Override
    public int usage() {
        return ExitCodes.USAGE;
    }

    @Override
    public int of(Exception e) {
        return ExitCodes.INSTANCE.of(e);
    }

    @Override
    public Integer call() {
        LockOptions how = lockOptions();
        List<String> command = options.command();
        Child.require(command.get(0));
        String url = options.url();
        warn();
        ErrorLog.leaveOut(Lease.class);
        Signals signals = Signals.install();
        try (Belay belay = Belay.connect(url, options.belayOptions())) {
            return run(command, belay, how, signals);
        } catch (InterruptedException e) {
            return signals.exitCode();
        } catch (BelayException e) {
            if (signals.hasCome()) {
                return signals.exitCode(); // the store was not to be waited for any longer
            }
            throw e;
        }
    }

    /** Returns how the lock is held, and refuses options that cannot be kept. */
    LockOptions lockOptions() {
        return options.lockOptions();
    }

    /** Warns of what may surprise the user. */
    void warn() {
        options.warnOfDeath();
    }

    /**
     * Runs the user's command under a lease, and returns the exit code.
     *
     * @throws InterruptedException if a signal came while no command ran
     */
    abstract int run(List<String> command, Belay belay, LockOptions how, Signals signals) throws InterruptedException;
}
