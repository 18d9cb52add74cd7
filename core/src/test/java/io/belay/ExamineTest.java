package io.belay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users learn of a store before they trust it with locks. */
class ExamineTest {
    @TempDir
    private Path directory;

    @Test
    void aMemoryStoreSaysHowFarItReaches() {
        assertThat(Belay.examine("memory:x")).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.NOTE);
            assertThat(finding.finding()).contains("memory:x", "process", "tokens");
        });
    }

    @Test
    void theWorstComesFirst() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<Finding> findings = Belay.examine("file:" + directory);
        assertThat(findings).extracting(Finding::severity).isSorted().contains(Severity.WARNING);
    }

    @Test
    void nothingIsChangedByLooking() throws IOException {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> Belay.examine("file:" + missing))
                .isInstanceOf(UnusableStoreException.class)
                .hasMessageContainingAll(missing.toString(), "does not exist");
        assertThat(missing).doesNotExist();
        Belay.examine("file:" + directory);
        assertThat(directory).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "memory:", "file:", "nix://u:secret@host", "memory:${BELAY_SURELY_NOT_SET}"})
    void whatCannotBeExaminedIsRefusedAsByConnect(String url) {
        assertThatThrownBy(() -> Belay.examine(url))
                .isExactlyInstanceOf(UnusableStoreException.class)
                .hasMessageNotContaining("secret")
                .extracting(Throwable::getMessage)
                .isEqualTo(refusedByConnect(url));
    }

    private static String refusedByConnect(String url) {
        try (Belay belay = Belay.connect(url)) {
            throw new AssertionError(belay + " was connected");
        } catch (UnusableStoreException e) {
            return e.getMessage();
        }
    }

    @ParameterizedTest
    @EnumSource
    void storesKnowTheSameSeverities(io.belay.spi.Finding.Severity severity) {
        assertThat(Severity.valueOf(severity.name()).ordinal()).isEqualTo(severity.ordinal());
    }
}
