package orders;

import io.belay.Belay;
import io.belay.BelayOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;

/** The program that cron starts on every machine at the same time: one of them writes the report, and the others find it done. */
public class NightlyReport {
    /** Well below a day, so that the next night's report is due whoever's clock is late; well above the longest run. */
    private static final Duration ONCE_IN = Duration.ofHours(12);

    public static void main(String[] args) throws Exception {
        String url = args.length > 0 ? args[0] : "file:${HOME}/.belay/report";
        Path report = Path.of(args.length > 1 ? args[1] : "report.txt");
        BelayOptions options = BelayOptions.defaults().withClientName("nightly-report");
        try (Belay belay = Belay.connect(url, options)) {
            // An exception frees the name, so that another machine may try in the same night.
            boolean here = belay.once("nightly report", ONCE_IN).run(() -> write(report));
            System.out.println(here ? "The report was written here." : "The report is written elsewhere, or was already.");
        }
    }

    private static void write(Path report) {
        try {
            Files.writeString(report, "written " + Instant.now() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
