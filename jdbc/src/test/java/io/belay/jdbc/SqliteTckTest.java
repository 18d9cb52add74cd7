package io.belay.jdbc;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("drivers")
@Tag("long")
class SqliteTckTest extends StoreTck {
    @TempDir
    private static Path directory;

    @Override
    protected StoreSpec open() {
        return JdbcSpec.embedded("jdbc:sqlite:" + directory.resolve("locks.db"), "?", "&");
    }
}
