package io.belay.shop.sale;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteGuardTest extends GuardContract {
    @TempDir
    private Path directory;

    @Override
    String url() {
        return "jdbc:sqlite:" + directory.resolve("ledger.db");
    }
}
