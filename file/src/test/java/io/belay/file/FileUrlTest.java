package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.StoreException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileUrlTest {
    @ParameterizedTest
    @CsvSource({"file:/a/b,/a/b", "file:///a/b,/a/b", "FILE:/a/../c,/c", "file:/a b%20,/a b%20"})
    void urls(String url, String path) {
        assertThat(FileUrl.parse(url).directory()).isEqualTo(Path.of(path));
    }

    @ParameterizedTest
    @CsvSource({
        "file:/a,false,false",
        "file:/a?group=true,true,false",
        "file:/a?readonly=true,false,true",
        "file:/a?group=false&readonly=true,false,true"
    })
    void parameters(String url, boolean group, boolean readonly) {
        assertThat(FileUrl.parse(url)).isEqualTo(new FileUrl(Path.of("/a"), new Access(group), readonly));
    }

    @Test
    void aRelativeUrl() {
        assertThat(FileUrl.parse("file:a/b").directory())
                .isEqualTo(Path.of("a/b").toAbsolutePath());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "file:/a?mode=x|URL file:/a has an unknown parameter behind the ?: file: knows group=true and readonly=true",
                "file:/a?|has an unknown parameter",
                "file:/a?group|URL file:/a has a parameter group that is neither true nor false",
                "file:/a?group=yes|has a parameter group that is neither",
                "file:/a?group=true&x|has an unknown parameter",
                "file:/a?readonly=|has a parameter readonly that is neither",
                "file:/a#b|has a part behind the #",
                "file://u:secret@host/a|URL file://...@host/a names a host",
                "file://host/a|names a host",
                "file:|names no directory",
                "file: |names no directory",
                "'file:/a '|has a blank at an end",
                "'file: /a'|has a blank at an end",
                "file:~/a|only a shell understands",
                "file:/a\0b|is not a path"
            })
    void wrongUrls(String url, String message) {
        assertThatThrownBy(() -> FileUrl.parse(url.replace("\\0", "\0")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(message);
    }
}
