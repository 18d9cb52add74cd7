package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who is told of a lost lock does not wait until what puts the text together is linked, which takes a JVM milliseconds for each. */
class PlainTextsTest {
    private static boolean links(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .contains("makeConcatWithConstants");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noClassLinksWhatPutsTextsTogether() throws Exception {
        Path classes = Path.of(
                Belay.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            List<Path> all =
                    files.filter(file -> file.toString().endsWith(".class")).toList();
            assertThat(all).hasSizeGreaterThan(100).noneMatch(PlainTextsTest::links);
        }
    }
}
