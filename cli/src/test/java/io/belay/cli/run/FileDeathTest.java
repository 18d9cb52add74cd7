package io.belay.cli.run;

import org.junit.jupiter.api.Tag;

/** On a directory, where the claims of a dead process are ended at once unless they were made to outlive it. */
@Tag("processes")
@Tag("long")
class FileDeathTest extends DeathSuite {
    @Override
    String url() {
        return "file:" + directory.resolve("locks");
    }
}
