package io.belay.cli.doctor;

import io.belay.BelayAdmin;
import io.belay.cli.text.CliException;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.Version;
import io.belay.spi.Finding;
import io.belay.spi.UrlVariables;
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
            "Exit codes: 0 nothing but notes; 1 a danger or a warning; 2 usage or environment."
        })
public final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        String url = store.url();
        List<Finding> findings = BelayAdmin.examine(url);
        // A store in this process has no way to go.
        boolean near = UrlVariables.expand(url).startsWith("memory:");
        DoctorReport report =
                new DoctorReport(url, findings, near ? Optional.empty() : Optional.of(RoundTrips.of(url)));
        report.print(json);
        return report.isWell() ? 0 : CliException.FELL_SHORT;
    }
}
