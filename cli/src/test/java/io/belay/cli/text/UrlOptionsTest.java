package io.belay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UrlOptionsTest {
    @TempDir
    private Path directory;

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("url"), content);
    }

    @Test
    void aUrlFromAFileIsTakenAsItIsWritten() throws IOException {
        assertThat(UrlOptions.resolve("store", null, file("\n  file:/x/${PATH} \n")))
                .contains("file:/x/${PATH}");
        assertThat(UrlOptions.resolve("store", null, file("\ufefffile:/x\r\n"))).contains("file:/x");
        assertThat(UrlOptions.resolve("store", null, null)).isEmpty();
    }

    @Test
    void whoOnlyLooksAtADirectoryDoesNotEnterIt() {
        assertThat(UrlOptions.forLooking("file:/a")).isEqualTo("file:/a?readonly=true");
        assertThat(UrlOptions.forLooking("FILE:/a?group=true")).isEqualTo("FILE:/a?group=true&readonly=true");
        assertThat(UrlOptions.forLooking("file:/a?readonly=false")).isEqualTo("file:/a?readonly=false");
        assertThat(UrlOptions.forLooking("redis://host")).isEqualTo("redis://host");
        assertThat(UrlOptions.forLooking("jdbc:h2:/a;belay-create=true"))
                .isEqualTo("jdbc:h2:/a;belay-create=true&belay-create=false");
        assertThat(UrlOptions.forLooking("jdbc:sqlite:/a?BELAY-CREATE=True"))
                .isEqualTo("jdbc:sqlite:/a?BELAY-CREATE=True&belay-create=false");
    }

    @Test
    void mistakes() throws IOException {
        assertThatThrownBy(() -> UrlOptions.resolve("store", "mongodb://host/b\ufffd\ufffdro", null))
                .hasMessage("--store has letters that this locale does not read as UTF-8: set LC_ALL=C.UTF-8");
        Path two = file("a\nb\n");
        assertThatThrownBy(() -> UrlOptions.resolve("store", null, two)).hasMessageContaining("one line");
        assertThatThrownBy(() -> UrlOptions.resolve("store", "a", two)).hasMessageContaining("either");
        assertThatThrownBy(() -> UrlOptions.resolve("store", " ", null)).hasMessageContaining("empty");
        assertThatThrownBy(() -> UrlOptions.resolve("store", null, directory.resolve("nix")))
                .hasMessageContaining("nix")
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> UrlOptions.resolve("store", null, directory)).hasMessageContaining("directory");
        assertThatThrownBy(() -> UrlOptions.resolve("store", "file:${BELAY_TEST_NO_SUCH}", null))
                .hasMessageContaining("BELAY_TEST_NO_SUCH");
        assertThatThrownBy(() -> UrlOptions.require("store", null, null)).hasMessageContaining("--store-file");
        Files.write(two, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> UrlOptions.resolve("store", null, two)).hasMessageContaining("UTF-8");
    }
}
