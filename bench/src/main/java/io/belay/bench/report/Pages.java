package io.belay.bench.report;

import io.belay.bench.cases.Case;
import io.belay.bench.store.Store;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A writer of the page and its charts. */
public final class Pages {
    private Pages() {}

    /** Returns the name of a store's page, and of the directory of its charts. */
    static String name(Store store) {
        return store == Store.REDIS ? "benchmarks" : "benchmarks-" + store;
    }

    /** Writes a store's page into a directory, and its charts into one below it, which then holds only these. */
    public static Path write(Outcome outcome, Path directory) throws IOException {
        Path charts = Files.createDirectories(directory.resolve(name(outcome.store())));
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
        return Files.writeString(directory.resolve(name(outcome.store()) + ".md"), MarkdownReport.of(outcome));
    }
}
