package io.belay.cli.run;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.DistributedLock;
import io.belay.DistributedSemaphore;
import io.belay.Inspection.Claim;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.cli.inspect.ClaimTable;
import io.belay.cli.text.CliException;
import io.belay.cli.text.DurationConverter;
import io.belay.cli.text.Text;
import io.belay.cli.text.Version;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code belay run}, which runs a command while it holds a lock. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        customSynopsis = {
            "belay run NAME --store URL [OPTIONS] -- COMMAND [ARG...]",
            "belay run NAME --store URL [OPTIONS] -c STRING"
        },
        footer = {
            "",
            "The command finds the lock's name in BELAY_LOCK and the fencing token in BELAY_TOKEN. If the lock is"
                    + " lost, the command and all its descendants get SIGTERM, and SIGKILL when the grace is over.",
            "The URL may hold $${NAME} for an environment variable.",
            "Exit codes: the command's own, 128 + n if signal n ended it; 64 wrong call; 69 no store or no Java; 75 the lock"
                    + " was not had; 79 it was lost; 126 the command cannot be run; 127 there is none."
        })
public final class RunCommand extends LeaseCommand {
    private static final Pattern PERMITS = Pattern.compile("([1-9]\\d{0,8})(?:/([1-9]\\d{0,8}))?");

    enum OnLost {
        TERM,
        CONTINUE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = {"-n", "--nonblock", "--nb"},
            description = "Does not wait: if the lock is taken, the exit code says so.")
    private boolean noWait;

    @Option(
            names = {"-w", "--wait", "--timeout"},
            paramLabel = "TIME",
            converter = DurationConverter.Seconds.class,
            description = "Waits no longer than this, in seconds if it has no unit.")
    private @Nullable Duration wait;

    @Option(
            names = {"-s", "--shared"},
            description = "Takes the lock as a reader: beside other readers, and not beside a writer.")
    private boolean shared;

    @Option(
            names = {"-x", "-e", "--exclusive"},
            description = "Takes it alone, as without this option.")
    private boolean exclusive;

    @Option(
            names = "--permits",
            paramLabel = "N[/TOTAL]",
            description = "Takes N of TOTAL permits. Without TOTAL, of those that others have made.")
    private @Nullable String permits;

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            description = "The exit code if the lock was not had. Default: 75.")
    private @Nullable Integer conflict;

    @Option(
            names = "--at-least",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Keeps the lock taken for at least this long, also if the command ends sooner: for jobs that"
                    + " several machines begin at the same time.")
    private @Nullable Duration atLeast;

    @Option(
            names = "--on-lost",
            paramLabel = "term|continue",
            defaultValue = "term",
            description = "Whether the command is ended when the lock is lost, or goes on beside the next holder."
                    + " Default: ${DEFAULT-VALUE}.")
    private OnLost onLost = OnLost.TERM;

    private final long began = System.nanoTime();

    @Override
    LockOptions lockOptions() {
        check();
        LockOptions how = super.lockOptions();
        return atLeast == null ? how : how.withAtLeast(atLeast);
    }

    @Override
    void warn() {
        // A command that runs under a lock and asks for the same one waits for itself.
        if (!shared && permits == null && options.name().equals(System.getenv(Supervision.LOCK))) {
            System.err.println("belay: this runs under " + Text.printable(options.name())
                    + " already (BELAY_LOCK): on the same store it waits for itself");
        }
    }

    /** Whoever waits for so long waits for a store, too. */
    @Override
    BelayOptions belayOptions() {
        BelayOptions all = super.belayOptions();
        return wait == null ? all : all.withConnectMode(ConnectMode.IF_REACHABLE);
    }

    @Override
    int run(Belay belay, LockOptions how, Launcher launcher, Watcher watcher) throws InterruptedException {
        DistributedLock lock = lock(belay.onBehalfOf(options.behalf()), how);
        Optional<Lease> lease = acquire(lock);
        if (lease.isEmpty()) {
            sayWhoHasIt(belay);
            return conflict == null ? options.ownExitCode(ExitCodes.NOT_HAD) : conflict;
        }
        String begun = Text.format(
                "%s is held after %.3f s, token %d; running %s",
                options.name(), (System.nanoTime() - began) / 1e9, lease.get().token(), options.program());
        boolean ends = onLost == OnLost.TERM;
        return new Supervision(belay, lease.get(), options, launcher, watcher)
                .telling(begun)
                .run(ends)
                .exitCode();
    }

    private void check() {
        if (noWait && wait != null) {
            throw CliException.usage("give either -n or -w, not both");
        }
        if (shared && exclusive || permits != null && (shared || exclusive)) {
            throw CliException.usage("give one of -s, -x and --permits");
        }
        if (permits != null) {
            Matcher parts = PERMITS.matcher(permits);
            if (!parts.matches()) {
                throw CliException.usage("--permits is '" + permits + "', but is written as 2/5: two of five");
            }
            if (parts.group(2) != null && Integer.parseInt(parts.group(1)) > Integer.parseInt(parts.group(2))) {
                throw CliException.usage("--permits " + permits + " asks for more than there are");
            }
        }
        RunOptions.checkExitCode("-E", conflict);
    }

    private DistributedLock lock(Belay belay, LockOptions how) {
        if (permits == null) {
            return shared ? belay.readWriteLock(options.name(), how).readLock() : belay.lock(options.name(), how);
        }
        Matcher parts = PERMITS.matcher(permits);
        String total = parts.matches() ? parts.group(2) : null;
        DistributedSemaphore semaphore = total == null
                ? belay.joinSemaphore(options.name(), how)
                : belay.semaphore(options.name(), Integer.parseInt(total), how);
        return semaphore.permits(Integer.parseInt(parts.group(1)));
    }

    private Optional<Lease> acquire(DistributedLock lock) throws InterruptedException {
        if (noWait) {
            return lock.tryAcquire();
        }
        if (wait == null) {
            return Optional.of(lock.acquire());
        }
        Duration waited = Duration.ofNanos(System.nanoTime() - began);
        return lock.tryAcquire(waited.compareTo(wait) < 0 ? wait.minus(waited) : Duration.ZERO);
    }

    private void sayWhoHasIt(Belay belay) {
        if (options.isQuiet()) {
            return;
        }
        String who = "others";
        try {
            who = belay.admin().inspect(options.name()).claims().stream()
                    .filter(claim -> claim.place() == 0)
                    .findFirst()
                    .map(RunCommand::since)
                    .orElse("others, or was a moment ago");
        } catch (StoreUnavailableException e) {
            // It has answered before, and that is what counts.
        }
        System.err.println("belay: " + Text.printable(options.name()) + " is taken by " + who);
    }

    private static String since(Claim claim) {
        return ClaimTable.who(claim)
                + claim.held()
                        .map(held -> Text.format(", for %.1f s", held.toMillis() / 1e3))
                        .orElse("");
    }
}
