package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The areas of other boots in a directory. Mostly they are from before the machine was booted, and nobody is there. A
 * container of LXC or nspawn has a boot id of its own, though, and then its processes may live on: this process would
 * not see what they hold.
 */
final class OtherBoots {
    /** The time that a client has to make its socket anew, in nanoseconds; it looks for its socket every second. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private OtherBoots() {}

    static List<Path> find(Path directory, Path own) throws IOException {
        return DirectoryFiles.list(directory, Boot.PREFIX + "*").stream()
                .map(directory::resolve)
                .filter(path -> !path.equals(own))
                .toList();
    }

    /** Refuses to go on while a process uses one of the areas. */
    static void refuseLiving(Path directory, List<Path> areas) throws IOException {
        for (Path area : areas) {
            if (Files.isDirectory(area, LinkOption.NOFOLLOW_LINKS) && isAlive(area)) {
                throw StoreException.unusable(
                        directory + " is in use by processes of another boot id (" + area.getFileName()
                                + "), as a container of LXC or nspawn has one: give each boot id a directory of its"
                                + " own, or end those processes first",
                        null);
            }
        }
    }

    /** Returns whether a process uses an area. */
    static boolean isAlive(Path area) throws IOException {
        Endpoint endpoint = Endpoint.ofNobody(area);
        try {
            for (String name : DirectoryFiles.list(area, "????????????????.sock")) {
                if (answers(endpoint, StaleFileCleaner.client(name))) {
                    return true;
                }
            }
            return anyComesBack(area, endpoint);
        } finally {
            endpoint.delete();
        }
    }

    private static boolean answers(Endpoint endpoint, long client) throws IOException {
        Endpoint.Outcome outcome = endpoint.probe(client);
        return outcome == Endpoint.Outcome.CONNECTED || outcome == Endpoint.Outcome.BUSY;
    }

    /**
     * Waits for clients whose socket somebody deleted, of which nothing is known until they have made it anew; returns
     * whether one has.
     */
    private static boolean anyComesBack(Path area, Endpoint endpoint) throws IOException {
        List<Long> unknown = withoutSocket(area);
        long end = System.nanoTime() + PATIENCE;
        while (!unknown.isEmpty() && System.nanoTime() - end < 0) {
            for (long client : unknown) {
                if (answers(endpoint, client)) {
                    return true;
                }
            }
            LockSupport.parkNanos(PAUSE);
        }
        return false;
    }

    private static List<Long> withoutSocket(Path area) {
        List<Long> clients = new ArrayList<>();
        try {
            RootTable rootTable = RootTable.look(area, System::nanoTime);
            for (int slot = 0; slot < Head.NOBODY; slot++) {
                long client = rootTable.client(slot);
                if (client != 0 && !rootTable.isClosed(slot) && !Files.exists(Endpoint.file(area, client))) {
                    clients.add(client);
                }
            }
        } catch (IOException e) {
            FileLog.LOG.debug("{} does not tell who is there: {}", area, DirectoryFiles.reason(e));
        }
        return clients;
    }
}
