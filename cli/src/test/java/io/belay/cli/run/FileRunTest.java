package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a directory. */
@Tag("processes")
class FileRunTest extends RunSuite {
    @Override
    String url() {
        return "file:" + directory.resolve("locks");
    }

    @Test
    void aDirectoryThatCannotBeIsNoStore() throws Exception {
        assertThat(start("run", "x", "--store", "file:/proc/version", "--", "true")
                        .ends(69)
                        .err())
                .startsWith("belay: ");
    }
}
