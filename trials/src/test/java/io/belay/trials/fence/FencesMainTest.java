package io.belay.trials.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class FencesMainTest {
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = FencesMain.command();
        command.setOut(new PrintWriter(output, true));
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "REDIS", "MONGODB", "FILE", "OBJECT", "HTTP"})
    void aGuardLosesNothingWhereWorkWithoutItDoes(Guard guard) {
        assertThat(run("--rounds", "1", guard.id())).as(errors.toString()).isZero();
        assertThat(output.toString())
                .matches(Pattern.compile(
                        ".*\\| " + Pattern.quote(guard.title()) + " \\| 1 \\| 1 \\| 0 \\| [01] \\|\n", Pattern.DOTALL));
    }

    @Tag("long")
    @Test
    void theFilterAloneLosesAsMuch() {
        assertThat(run("--rounds", "1", "http-alone")).as(errors.toString()).isZero();
        assertThat(output.toString()).endsWith("| the HTTP filter alone | 1 | 1 | 1 | 0 |\n");
    }

    @Test
    void whatIsNoGuardIsRefusedInOneLine() {
        assertThat(run("moat")).isEqualTo(2);
        assertThat(errors.toString()).startsWith("no guard 'moat'; there are: postgresql, sqlite, redis, ");
        assertThat(run("--rounds", "0")).isEqualTo(2);
    }

    /** Java itself would end with 1, which is a result. */
    @Test
    void anErrorIsNoResult() {
        @CommandLine.Command
        final class Failing implements Runnable {
            @Override
            public void run() {
                throw new OutOfMemoryError("no thread is to be had");
            }
        }
        assertThat(FencesMain.run(new CommandLine(new Failing()))).isEqualTo(2);
    }

    /** By the premise of the recipe: the stand-in compares and writes in one step. */
    @Test
    void theStandInForObjectsWritesOnlyOverWhatWasRead() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        try (ObjectServer server = new ObjectServer("0 0")) {
            URI uri = server.uri();
            String tag = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .headers()
                    .firstValue("ETag")
                    .orElseThrow();
            HttpRequest put = HttpRequest.newBuilder(uri)
                    .header("If-Match", tag)
                    .PUT(BodyPublishers.ofString("1"))
                    .build();
            assertThat(client.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
            assertThat(client.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(412);
        }
        try (Counter counter = ObjectCounter.start()) {
            Counter.Addition old = counter.guarded(FencingToken.of("x", 5));
            counter.guarded(FencingToken.of("x", 6));
            assertThatThrownBy(old::write).isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> counter.guarded(FencingToken.of("x", 5))).isInstanceOf(StaleTokenException.class);
            assertThat(counter.value()).isZero();
        }
    }

    /** A row of the page is what a run has printed: of a guard that is there, and with nothing lost by one that holds. */
    @Test
    void theTableOfThePageHasAllGuards() throws Exception {
        List<String> rows;
        try (Stream<String> lines = Files.lines(Path.of("..", "docs", "trials.md"))) {
            rows = lines.dropWhile(
                            line -> !line.equals("| guard | rounds | lost without it | lost with it | refused |"))
                    .skip(2)
                    .takeWhile(line -> line.startsWith("|"))
                    .toList();
        }
        assertThat(rows).hasSameSizeAs(Guard.values());
        Iterator<String> next = rows.iterator();
        for (Guard guard : Guard.values()) {
            String[] cells = next.next().split(" *\\| *", -1);
            assertThat(cells[1]).isEqualTo(guard.title());
            assertThat(Long.parseLong(cells[3])).as("lost without " + guard).isPositive();
            assertThat(Long.parseLong(cells[4]) == 0)
                    .as("nothing lost with " + guard)
                    .isEqualTo(guard.holds());
        }
    }
}
