package io.belay.cli.doctor;

import io.belay.BelayAdmin;
import io.belay.cli.process.ErrorLog;
import io.belay.cli.text.CliException;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.UrlOptions;
import io.belay.cli.text.Version;
import io.belay.spi.Finding;
import io.belay.support.LogName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay doctor}, which tells what endangers the locks of a store. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "The URL may hold $${NAME} for an environment variable.",
            "Takes a lock of the name belay-doctor, hands it over, races for it and loses it.",
            "Exit codes: 0 fit; 1 a danger or a warning; 2 usage or environment; 4 nothing found by --read-only."
        })
public final class DoctorCommand implements Callable<Integer> {
    /** The exit code if nothing was found, and no lock was taken. */
    public static final int UNTRIED = 4;

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Option(names = "--read-only", description = "Reads settings alone, and takes no lock.")
    private boolean readOnly;

    @Override
    public Integer call() throws InterruptedException {
        String url = store.url();
        List<Finding> findings = new ArrayList<>(BelayAdmin.examine(url));
        if (!readOnly) {
            // Of the lock that is lost on purpose, of who waits for it, and of what the findings say better.
            ErrorLog.leaveOut(LogName.LEASE, LogName.WAITS, LogName.STORE);
            findings.addAll(LockTrial.of(url));
            findings.sort(Comparator.comparing(Finding::severity));
        }
        // A store in this process has no way to go.
        boolean near = UrlOptions.isMemory(url);
        DoctorReport report =
                new DoctorReport(url, findings, near ? Optional.empty() : Optional.of(RoundTrips.of(url)), !readOnly);
        report.print(json);
        return switch (report.verdict()) {
            case FIT -> 0;
            case UNTRIED -> UNTRIED;
            case LIMITED, UNFIT -> CliException.FELL_SHORT;
        };
    }
}
