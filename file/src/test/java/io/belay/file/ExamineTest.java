package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.StoreMisconfiguredException;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users learn of a directory before they trust it with locks. */
class ExamineTest {
    @TempDir
    private Path directory;

    @Test
    void theWorstComesFirst() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<Finding> findings = BelayAdmin.examine("file:" + directory);
        assertThat(findings).extracting(Finding::severity).isSorted().contains(Severity.WARNING);
    }

    @Test
    void nothingIsChangedByLooking() throws IOException {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> BelayAdmin.examine("file:" + missing))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContainingAll(missing.toString(), "does not exist");
        assertThat(missing).doesNotExist();
        BelayAdmin.examine("file:" + directory);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void whatCannotBeExaminedIsRefusedAsByConnect() {
        assertThatThrownBy(() -> BelayAdmin.examine("file:"))
                .isExactlyInstanceOf(StoreMisconfiguredException.class)
                .extracting(Throwable::getMessage)
                .isEqualTo(refusedByConnect("file:"));
    }

    private static String refusedByConnect(String url) {
        try (Belay belay = Belay.connect(url)) {
            throw new AssertionError(belay + " was connected");
        } catch (StoreMisconfiguredException e) {
            return e.getMessage();
        }
    }
}
