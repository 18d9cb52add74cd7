package io.belay.cli.run;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Lease;
import io.belay.Release;
import io.belay.cli.inspect.ClaimTable;
import io.belay.cli.text.CliException;
import io.belay.cli.text.Text;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The run of a command under a lease: from its start to the release, or to the end of its last descendant after a loss. */
final class Supervision {
    /** The variable that has the lock's name. */
    static final String LOCK = "BELAY_LOCK";

    /** The variable that has the fencing token. */
    static final String TOKEN = "BELAY_TOKEN";

    private final Belay belay;
    private final Lease lease;
    private final RunOptions options;
    private final Signals signals;
    private final String shown;

    /**
     * What became of a command.
     *
     * @param exitCode the exit code to end with
     * @param lost whether the lease was over before the command
     */
    record Outcome(int exitCode, boolean lost) {}

    Supervision(Belay belay, Lease lease, RunOptions options, Signals signals) {
        this.belay = belay;
        this.lease = lease;
        this.options = options;
        this.signals = signals;
        shown = Text.printable(options.name());
    }

    /**
     * Runs a command to its end, and gives the lock back.
     *
     * @param command the command and its arguments
     * @param ends whether the command is ended when the lease is over
     * @throws InterruptedException if a signal came before the command was there
     */
    Outcome run(List<String> command, boolean ends) throws InterruptedException {
        try {
            return runHeld(command, ends);
        } catch (IOException e) {
            throw CliException.of(
                    ExitCodes.NOT_EXECUTABLE, "'" + command.get(0) + "' cannot be run: " + e.getMessage());
        } finally {
            lease.release(); // where it has not come to that
        }
    }

    private Outcome runHeld(List<String> command, boolean ends) throws IOException, InterruptedException {
        if (!isSure()) {
            System.err.println("belay: the lock '" + shown + "' was lost before " + command.get(0) + " began");
            return new Outcome(ExitCodes.LOST, true);
        }
        Map<String, String> marks = Map.of(LOCK, options.name(), TOKEN, Long.toString(lease.token()));
        Child child = signals.start(() -> Child.start(command, marks));
        LeaseWatch watch = new LeaseWatch(lease, options.notice(), what -> over(what, child, marks, ends));
        watch.start();
        int exitCode = child.await();
        boolean lost = watch.finish();
        signals.commandEnded();
        options.tell(command.get(0) + " ended with exit code " + exitCode);
        Release release = lease.release();
        if (release == Release.ALREADY_LOST && !lost) {
            System.err.println("belay: the lock '" + shown + "' was lost before " + command.get(0) + " ended");
        } else if (release == Release.UNKNOWN) {
            System.err.println("belay: the store does not answer: the lock '" + shown
                    + "' is free when it has, or when the lease ends");
        }
        lost |= release == Release.ALREADY_LOST;
        if (lost) {
            System.err.println("belay: " + whoHasItNow());
        }
        return new Outcome(lost && ends ? ExitCodes.LOST : exitCode, lost);
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

    private void over(String what, Child child, Map<String, String> marks, boolean ends) {
        System.err.println("belay: " + what + (ends ? "; ending the command" : "; the command goes on without it"));
        if (!ends) {
            return;
        }
        try {
            List<ProcessHandle> left =
                    new Descendants(child.handle(), marks).end(options.grace().toNanos());
            if (!left.isEmpty()) {
                System.err.println("belay: these processes could not be ended, and may go on without the lock: "
                        + left.stream().map(one -> Long.toString(one.pid())).collect(Collectors.joining(", ")));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String whoHasItNow() {
        try {
            return belay.inspect(options.name()).claims().stream()
                    .filter(claim -> claim.place() == 0)
                    .findFirst()
                    .map(claim -> ClaimTable.who(claim) + " has " + shown + " now")
                    .orElse("nobody has " + shown + " now");
        } catch (BelayException e) {
            return "who has " + shown + " now is not known, as the store does not answer";
        }
    }
}
