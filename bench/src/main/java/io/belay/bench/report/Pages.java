package io.belay.bench.report;

import io.belay.bench.cases.Case;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the page and its charts. */
public final class Pages {
    private Pages() {}

    /** Writes {@code benchmarks.md} into a directory, and the charts into one beside it, which holds only these then. */
    public static Path write(Outcome outcome, Path directory) throws IOException {
        Path charts = Files.createDirectories(directory.resolve(MarkdownReport.CHARTS));
        try (DirectoryStream<Path> old = Files.newDirectoryStream(charts, "*.svg")) {
            for (Path chart : old) {
                Files.delete(chart);
            }
        }
        for (Case task : outcome.cases()) {
            List<Result> measured = outcome.of(task).stream()
                    .filter(result -> !result.rounds().isEmpty())
                    .toList();
            if (!measured.isEmpty()) {
                Files.writeString(charts.resolve(task.name() + ".svg"), MarkdownReport.chart(task, measured));
            }
        }
        return Files.writeString(directory.resolve("benchmarks.md"), MarkdownReport.of(outcome));
    }
}
