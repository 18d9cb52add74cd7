package io.belay.trials.fence;

import io.belay.servers.PostgresServer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The guards that are tried, each with a counter where it is at home. */
enum Guard {
    POSTGRESQL("SQL, on PostgreSQL", true, SqlCounter::onPostgres),
    SQLITE("SQL, on SQLite", true, SqlCounter::onSqlite),
    REDIS("Redis", true, directory -> RedisCounter.start()),
    MONGODB("MongoDB (a stand-in)", true, directory -> MongoCounter.start()),
    FILE("files", true, FileCounter::in),
    OBJECT("objects, by `If-Match` (a stand-in)", true, directory -> ObjectCounter.start()),
    HTTP("the HTTP filter, files behind it", true, directory -> HttpCounter.start(directory, true)),
    HTTP_ALONE("the HTTP filter alone", false, directory -> HttpCounter.start(directory, false));

    private final String title;
    private final boolean holds;
    private final Opener opener;

    Guard(String title, boolean holds, Opener opener) {
        this.title = title;
        this.holds = holds;
        this.opener = opener;
    }

    private interface Opener {
        Counter open(Path directory) throws Exception;
    }

    static Optional<Guard> of(String name) {
        return Arrays.stream(values()).filter(one -> one.id().equals(name)).findFirst();
    }

    /** Returns the name for the command line. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String title() {
        return title;
    }

    /** Returns whether it promises that nothing is lost. */
    boolean holds() {
        return holds;
    }

    /** Returns what this machine lacks for it; null if nothing. */
    @Nullable
    String lacks() {
        return this == POSTGRESQL && !PostgresServer.isInstalled()
                ? "the programs of PostgreSQL; on Debian: apt-get install postgresql"
                : null;
    }

    /** Opens a counter, in a directory that nobody else uses. */
    Counter open(Path directory) throws Exception {
        return opener.open(directory);
    }
}
