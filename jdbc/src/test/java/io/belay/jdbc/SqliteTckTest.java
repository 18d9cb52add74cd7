package io.belay.jdbc;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("drivers")
@Tag("long")
class SqliteTckTest extends StoreTck {
    @TempDir
    private static Path directory;

    /** A file for each test: a process that is stopped amid a step keeps its file from all others. */
    @Override
    protected StoreSpec open() {
        return JdbcSpec.embedded("jdbc:sqlite:" + directory.resolve(UUID.randomUUID() + ".db"), "?", "&");
    }
}
