package io.belay.cli.run;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.cli.process.ErrorLog;
import io.belay.cli.text.FailureCodes;
import io.belay.cli.text.Text;
import io.belay.cli.text.Version;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code belay lead}, which runs a command whenever it leads. */
@Command(
        name = "lead",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        customSynopsis = {
            "belay lead NAME --store URL [OPTIONS] -- COMMAND [ARG...]",
            "belay lead NAME --store URL [OPTIONS] -c STRING"
        },
        footer = {
            "",
            "At the end of a term the command and all its descendants get SIGTERM, and SIGKILL when the grace is over; then"
                    + " this process stands again. --max-hold ends each term. If the command ends by itself this ends, too.",
            "The command finds the election's name in BELAY_LOCK and the fencing token in BELAY_TOKEN.",
            "The URL may hold $${NAME} for an environment variable.",
            "Exit codes: the command's own, 128 + n if signal n ended it; 64 wrong call; 69 no store; 126 the command cannot"
                    + " be run; 127 there is none."
        })
public final class LeadCommand implements Callable<Integer>, FailureCodes {
    @Mixin
    private RunOptions options = new RunOptions();

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
        List<String> command = options.command();
        Child.require(command.get(0));
        LockOptions how = options.lockOptions();
        String url = options.url();
        options.warnOfDeath();
        ErrorLog.leaveOut(Lease.class);
        Signals signals = Signals.install();
        try (Belay belay = Belay.connect(url, options.belayOptions("lead"))) {
            LeaderElection election = belay.as(options.behalf()).election(options.name(), how);
            while (true) {
                options.tell("standing for " + options.name());
                Lease term = election.campaign();
                options.tell(
                        Text.format("leads %s, token %d; running %s", options.name(), term.token(), command.get(0)));
                Supervision.Outcome outcome = new Supervision(belay, term, options, signals).run(command, true);
                if (!outcome.lost() || signals.hasEnded()) {
                    return outcome.exitCode();
                }
            }
        } catch (InterruptedException e) {
            return signals.exitCode();
        } catch (BelayException e) {
            if (signals.hasCome()) {
                return signals.exitCode(); // the store was not to be waited for any longer
            }
            throw e;
        }
    }
}
