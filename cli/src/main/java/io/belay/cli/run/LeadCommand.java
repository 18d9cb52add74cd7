package io.belay.cli.run;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.cli.text.Text;
import io.belay.cli.text.Version;
import picocli.CommandLine.Command;

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
            "A store that is away is waited for, also at the start.",
            "The command finds the election's name in BELAY_LOCK and the fencing token in BELAY_TOKEN.",
            "The URL may hold $${NAME} for an environment variable.",
            "Exit codes: the command's own, 128 + n if signal n ended it; 64 wrong call; 69 no store or no Java; 79 the"
                    + " Java VM or the script was killed; 126 the command cannot be run; 127 there is none."
        })
public final class LeadCommand extends LeaseCommand {
    /** Whoever stands without a limit waits for a store, too. */
    @Override
    BelayOptions belayOptions() {
        return super.belayOptions().withConnectMode(ConnectMode.IF_REACHABLE);
    }

    @Override
    int run(Belay belay, LockOptions how, Launcher launcher, Watcher watcher) throws InterruptedException {
        LeaderElection election = belay.onBehalfOf(options.behalf()).election(options.name(), how);
        while (true) {
            options.tell("standing for " + options.name());
            Lease term = election.campaign();
            String begun =
                    Text.format("leads %s, token %d; running %s", options.name(), term.token(), options.program());
            Supervision.Outcome outcome = new Supervision(belay, term, options, launcher, watcher)
                    .telling(begun)
                    .run(true);
            if (!outcome.lost()) {
                return outcome.exitCode();
            } else if (launcher.hasSignal()) {
                return launcher.signalCode();
            }
        }
    }
}
