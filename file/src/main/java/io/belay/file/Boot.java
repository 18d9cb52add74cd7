package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The directory of one boot of the machine. A claim cannot outlive the boot in which it was entered: its process is
 * gone, and the clock starts anew. So the clients of each boot have a directory of their own, and delete those of other
 * boots. They build one under another name and then rename it, and rename it again before they delete it, so that
 * nobody ever sees it in part.
 */
final class Boot {
    static final String PREFIX = "boot-";

    private static final String BUILDING = FormatFile.FILE + "-new-";
    private static final String DELETING = FormatFile.FILE + "-old-";

    /** A high water further ahead than this is rubbish: a century, in microseconds. */
    private static final long CENTURY = 100L * 365 * 24 * 3600 * 1_000_000;

    /**
     * The two clocks that the store's clock is made of.
     *
     * @param nanos a clock that all processes of this boot share and nobody sets
     * @param wallMicros the wall clock, read once a boot
     */
    record Clock(LongSupplier nanos, LongSupplier wallMicros) {
        static Clock system() {
            return new Clock(System::nanoTime, () -> System.currentTimeMillis() * 1000);
        }
    }

    private Boot() {}

    static Path path(Path directory, HostIdentity host) {
        return directory.resolve(PREFIX + host.bootName());
    }

    static boolean exists(Path directory, HostIdentity host) {
        return Files.isDirectory(path(directory, host), LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether the area of this boot is there, and no other, which would have to be looked at. */
    static boolean isReady(Path directory, HostIdentity host) throws IOException {
        return exists(directory, host)
                && OtherBoots.find(directory, path(directory, host)).isEmpty();
    }

    /** Makes the area of this boot and deletes all others. The caller is alone at the {@link Entrance}. */
    static void prepare(Path directory, Access access, HostIdentity host, Clock clock) throws IOException {
        Path boot = path(directory, host);
        DirectoryFiles.refuseLink(boot);
        List<Path> others = OtherBoots.find(directory, boot);
        OtherBoots.refuseLiving(directory, others);
        if (!exists(directory, host)) {
            long start = Math.max(clock.wallMicros().getAsLong(), highWater(others, clock) + 1);
            build(boot, access, start, host, clock);
        }
        for (Path other : others) {
            // One that stayed, and were used again, would not know of the tokens that are given from now on.
            Path deleting = directory.resolve(DELETING + UUID.randomUUID());
            Files.move(other, deleting, StandardCopyOption.ATOMIC_MOVE);
            DirectoryFiles.delete(deleting);
        }
    }

    private static long highWater(List<Path> others, Clock clock) {
        long highest = 0;
        long limit = clock.wallMicros().getAsLong() + CENTURY;
        for (Path other : others) {
            if (!Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS)) {
                continue; // somebody else's, who might have any time behind a link
            }
            try {
                long found = RootTable.look(other, clock.nanos()).highWater();
                highest = Math.max(highest, found > limit ? 0 : found);
            } catch (IOException e) {
                if (!DirectoryFiles.isDamage(other.resolve(RootTable.FILE), e)) {
                    // It may pass, as too many open files do; to delete the mark unread could make tokens fall.
                    throw StoreException.unreachable("cannot read " + other + ": " + DirectoryFiles.reason(e), e);
                }
                // A machine that lost its power may leave this. Then the wall clock alone keeps tokens rising.
                FileLog.LOG.warn(
                        "{} of an earlier boot is damaged and passed over: {}",
                        other.getFileName(),
                        DirectoryFiles.reason(e));
            }
        }
        return highest;
    }

    private static void build(Path boot, Access access, long start, HostIdentity host, Clock clock) throws IOException {
        Path building = boot.resolveSibling(BUILDING + UUID.randomUUID());
        Files.createDirectory(building, Access.privately(building, "rwx------"));
        try {
            access.give(building, "rwxrwx---");
            RootTable.create(building, start, host.clockId(), clock.nanos());
            access.give(building.resolve(RootTable.FILE), "rw-rw----");
            Files.move(building, boot, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            DirectoryFiles.delete(building);
            throw e;
        }
    }

    /** Maps the {@link RootTable} of this boot, and refuses what cannot be used. */
    static RootTable rootTable(Path directory, HostIdentity host, LongSupplier nanos, boolean readonly) {
        Path boot = path(directory, host);
        RootTable rootTable;
        try {
            rootTable = readonly ? RootTable.look(boot, nanos) : RootTable.map(boot, nanos);
        } catch (IOException e) {
            if (!DirectoryFiles.isDamage(boot.resolve(RootTable.FILE), e)) {
                throw StoreException.unreachable("cannot read " + directory + ": " + DirectoryFiles.reason(e), e);
            }
            throw StoreException.unusable(
                    "the data in " + directory + " is damaged (" + boot.getFileName() + "/" + RootTable.FILE + ": "
                            + DirectoryFiles.reason(e)
                            + "): stop all processes that use it, delete the directory, and start them again",
                    e);
        }
        if (rootTable.clockId() != host.clockId()) {
            throw StoreException.unusable(
                    directory + " is used by processes in another time namespace, whose clock is not this one's: use "
                            + "another directory, or stop them all and delete " + boot,
                    null);
        }
        checkClock(directory, rootTable);
        return rootTable;
    }

    /**
     * Refuses to go on if the clock is far behind what other processes read: a Java whose nanoTime is a clock of its
     * own would break exclusion.
     */
    static void checkClock(Path directory, RootTable rootTable) {
        if (rootTable.now() < rootTable.highWater() - 3 * RootTable.MARGIN) {
            throw StoreException.unusable(
                    "the clock of this process is not that of the other processes that use " + directory
                            + ", or the data there is damaged: use the same Java for all, or stop them all and delete "
                            + "the directory",
                    null);
        }
    }

    /** Deletes what processes left that were killed while they made or deleted a directory, or made a marker. */
    static void deleteLitter(Path directory) throws IOException {
        List<String> litter = DirectoryFiles.list(directory, FormatFile.FILE + "?*");
        for (String name : litter) {
            Path path = directory.resolve(name);
            if (!name.equals(Entrance.FILE) && StaleFileCleaner.isOld(path)) {
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    DirectoryFiles.delete(path);
                } else {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
