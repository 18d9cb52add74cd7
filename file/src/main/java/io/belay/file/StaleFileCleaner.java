package io.belay.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/** The cleaner that deletes the files of processes that were killed while they entered or left a directory. */
final class StaleFileCleaner {
    private static final Duration OLD = Duration.ofMinutes(1);

    private StaleFileCleaner() {}

    /** Returns whether a file that has not found its place yet is so old that nobody can be about to use it. */
    static boolean isOld(Path path) throws IOException {
        Instant changed =
                Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant();
        return changed.plus(OLD).isBefore(Instant.now());
    }

    /** Deletes the files of clients that have no slot, and whose socket refuses connections or never was. */
    static void clear(Path directory, Path boot, RootTable rootTable, Endpoint endpoint) {
        try {
            Boot.deleteLitter(directory);
            Set<Long> gone = new HashSet<>();
            for (String name : DirectoryFiles.list(boot, "????????????????.*")) {
                long client = client(name);
                if (client == 0 || rootTable.slotOf(client) >= 0) {
                    continue;
                }
                Path socket = Endpoint.file(boot, client);
                if (gone.contains(client)
                        || (Files.exists(socket) ? endpoint.isDead(client) : isOld(boot.resolve(name)))) {
                    gone.add(client);
                    Files.deleteIfExists(boot.resolve(name));
                }
            }
        } catch (IOException e) {
            FileLog.LOG.debug("could not clear litter away: {}", e.toString());
        }
    }

    /** Returns the client whose file has a name; 0 if none has. */
    static long client(String name) {
        try {
            return Long.parseUnsignedLong(name.substring(0, 16), 16);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
