package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is printed to where it cannot be written: Java says nothing of it. */
@Tag("processes")
class OutputTest {
    private static final String CLOSED = "exec 3> >(:); wait $!; exec \"$0\" %s >&3";

    @TempDir
    private Path directory;

    private CommandRun shell(String line) throws Exception {
        String belay = Cli.script(directory.resolve("belay")).toString();
        return CommandRun.of(new ProcessBuilder("bash", "-c", line, belay)
                .redirectErrorStream(true)
                .start());
    }

    @Test
    void aFullDiskIsAFailure() throws Exception {
        CommandRun run = shell("exec \"$0\" schema --store jdbc:sqlite:x.db >/dev/full");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output()).startsWith("belay: the standard output ").doesNotContain("\n");
    }

    /** One of Java's own files lies there then. */
    @Test
    void anOutputThatIsClosedIsToldAsSuch() throws Exception {
        CommandRun run = shell("exec \"$0\" schema --store jdbc:sqlite:x.db >&-");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
        assertThat(run.output()).startsWith("belay: the standard output is closed, or ");
    }

    /** What was found is told by the code alone then: nothing is not what was written. */
    @ParameterizedTest
    @CsvSource({"break x --yes, 1", "doctor --read-only --json, 2"})
    void aFullDiskIsToldWhateverWasFound(String call, int exitCode) throws Exception {
        String store = "file:" + Files.createTempDirectory(directory, "locks");
        CommandRun run = shell("exec \"$0\" " + call + " --store " + store + " >/dev/full");
        assertThat(run.output()).startsWith("belay: the standard output ").doesNotContain("\n");
        assertThat(run.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void nothingIsTakenFromWhomNobodyWasShown() throws Exception {
        String store = "file:" + directory.resolve("locks");
        try (Belay holder = Belay.connect(store)) {
            holder.lock("x").acquire();
            CommandRun run = shell("echo x | \"$0\" break x --store " + store + " >/dev/full");
            assertThat(run.output()).startsWith("belay: nobody answers; ").contains("\nbelay: the standard output ");
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(holder.admin().inspect("x").claims()).hasSize(1);
        }
    }

    @Test
    void aPipeThatNobodyReadsEndsItWithoutAWord() throws Exception {
        CommandRun run = shell(CLOSED.formatted("--version"));
        assertThat(run.output()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(141);
    }

    @Test
    void nobodyIsShownWhatNobodyReads() throws Exception {
        String store = "file:" + directory.resolve("locks");
        Belay.connect(store).close();
        CommandRun run = shell(CLOSED.formatted("locks --watch --interval 1ms --store " + store));
        assertThat(run.output()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(141);
    }
}
