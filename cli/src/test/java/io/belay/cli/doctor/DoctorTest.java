package io.belay.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.cli.Cli;
import io.belay.servers.CommandRun;
import io.belay.servers.Premise;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DoctorTest {
    @TempDir
    private Path directory;

    private void rights(String rights) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(rights));
    }

    @Test
    void whatIsWellIsSaid() throws Exception {
        rights("rwx------");
        Premise.withLease(FitTest.ANY, anyLease -> itIsSaidThatItIsWell());
    }

    private void itIsSaidThatItIsWell() {
        CommandRun run = Cli.inside("doctor", "--store", "file:" + directory);
        FitTest.inTime(run.exitCode() == 0, run);
        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output().lines())
                .last()
                .isEqualTo("fit: a lock was taken, and nothing found that endangers locks on file:" + directory);
    }

    @Test
    void notesAreNoFailure() {
        CommandRun run = Cli.inside("doctor", "--store", "memory:x");
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .startsWith("NOTE     reach\n         The locks of memory:x ")
                .endsWith("\n\nfit: a lock was taken, and nothing found that endangers locks on memory:x\n");
    }

    @Test
    void aWarningIsAFailure() throws Exception {
        rights("rwxrwxrwx");
        CommandRun run = Cli.run(Map.of("DIR", directory.toString()), "doctor", "--store", "file:${DIR}");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
        assertThat(run.output())
                .contains(
                        "DANGER   lock\n         No lock could be taken: ",
                        "WARNING  rights\n",
                        "Cure: Run chmod o-w ");
        assertThat(run.output().lines())
                .last()
                .asString()
                .startsWith("unfit: 1 danger, 1 warning, ")
                .endsWith(" on file:${DIR}");
    }

    @Test
    void whoMayOnlyReadTakesNoLock() throws IOException {
        rights("rwx------");
        CommandRun run = Cli.inside("doctor", "--read-only", "--store", "file:" + directory);
        assertThat(run.exitCode()).as(run.output()).isEqualTo(4);
        assertThat(run.output().lines()).last().isEqualTo("nothing found; no lock was taken on file:" + directory);
        assertThat(directory).isEmptyDirectory();
        rights("rwxrwxrwx");
        CommandRun found = Cli.inside("doctor", "--read-only", "--store", "file:" + directory);
        assertThat(found.exitCode()).as(found.output()).isEqualTo(1);
        assertThat(found.output()).contains("\n\nfit with limits: 0 dangers, 1 warning, ");
    }

    @Test
    void json() throws IOException {
        rights("rwxrwxrwx");
        CommandRun run = Cli.inside("doctor", "--store", "file:" + directory, "--json");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
        JsonNode report = JsonMapper.shared().readTree(run.output());
        assertThat(report.propertyNames())
                .containsExactly("store", "findings", "dangers", "warnings", "notes", "roundTrips", "verdict");
        assertThat(report.path("store").asString()).isEqualTo("file:" + directory);
        assertThat(report.path("verdict").asString()).isEqualTo("unfit");
        assertThat(report.path("dangers").asInt(-1)).isEqualTo(1);
        assertThat(report.path("warnings").asInt()).isEqualTo(1);
        JsonNode first = report.path("findings").path(0);
        assertThat(first.propertyNames()).containsExactly("severity", "subject", "finding", "cure");
        assertThat(first.path("severity").asString()).isEqualTo("DANGER");
        assertThat(report.path("findings").size())
                .isEqualTo(2 + report.path("notes").asInt(-1));
    }

    @Test
    void longSentencesAreWrappedAndPasswordsMasked() {
        Finding finding =
                Finding.of(Severity.DANGER, "a\u001bb", "word ".repeat(40).strip() + ".", "Do this.");
        String text =
                new DoctorReport("redis://:geheim@host", List.of(finding, finding), Optional.empty(), true).text();
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(text)
                .contains("DANGER   a?b\n         word word", "\n         Cure: Do this.\n\nDANGER")
                .endsWith("\n\nunfit: 2 dangers, 0 warnings, 0 notes on redis://:***@host");
    }
}
