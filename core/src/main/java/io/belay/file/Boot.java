package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The directory of one boot of the machine. A claim cannot outlive the boot in which it was entered: its process is
 * gone, and the clock starts anew. So each boot has a directory of its own, and deletes the others. It is built under
 * another name and then renamed; of several processes that do so, the first wins.
 */
final class Boot {
    private static final String PREFIX = "boot-";
    private static final String BUILDING = "belay-store-new-";

    /** A high water further ahead than this is rubbish: a century, in microseconds. */
    private static final long CENTURY = 100L * 365 * 24 * 3600 * 1_000_000;

    /**
     * What the store's clock is made of.
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

    static Path path(Path directory, Host host) {
        return directory.resolve(PREFIX + host.bootName());
    }

    static boolean exists(Path directory, Host host) {
        return Files.isDirectory(path(directory, host), LinkOption.NOFOLLOW_LINKS);
    }

    static Path enter(Path directory, Host host, Clock clock) throws IOException {
        Path boot = path(directory, host);
        Directory.refuseLink(boot);
        if (!Files.exists(boot)) {
            // Before a rename has succeeded nobody deletes the old ones, so whoever wins has read them all.
            long start = Math.max(clock.wallMicros().getAsLong(), highWater(directory, clock) + 1);
            build(directory, boot, start, host, clock);
        }
        for (String old : Directory.list(directory, PREFIX + "*")) {
            if (!directory.resolve(old).equals(boot)) {
                Directory.delete(directory.resolve(old));
            }
        }
        return boot;
    }

    private static long highWater(Path directory, Clock clock) throws IOException {
        long highest = 0;
        long limit = clock.wallMicros().getAsLong() + CENTURY;
        for (String old : Directory.list(directory, PREFIX + "*")) {
            if (Files.isSymbolicLink(directory.resolve(old))) {
                continue; // somebody else's, who might have any time there
            }
            try {
                long found = Heads.map(directory.resolve(old), clock.nanos()).highWater();
                highest = Math.max(highest, found > limit ? 0 : found);
            } catch (IOException e) {
                // A machine that lost its power may leave this. Then the wall clock alone keeps tokens rising.
                FileStore.LOG.warn("{} of an earlier boot is damaged and passed over: {}", old, Directory.reason(e));
            }
        }
        return highest;
    }

    private static void build(Path directory, Path boot, long start, Host host, Clock clock) throws IOException {
        Path building = directory.resolve(BUILDING + UUID.randomUUID());
        Files.createDirectory(building, Directory.privately(directory));
        try {
            Heads.create(building, start, host.clockId(), clock.nanos());
            Files.move(building, boot, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            Directory.delete(building);
            if (!Files.isDirectory(boot, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        } catch (IOException e) {
            Directory.delete(building);
            throw e;
        }
    }

    /** Maps the heads, and refuses what cannot be used. */
    static Heads heads(Path directory, Path boot, Host host, LongSupplier nanos) {
        Heads heads;
        try {
            heads = Heads.map(boot, nanos);
        } catch (IOException e) {
            throw StoreException.unusable(
                    "the data in " + directory + " is damaged (" + boot.getFileName() + "/" + Heads.FILE + ": "
                            + Directory.reason(e)
                            + "): stop all processes that use it, delete the directory, and start them again",
                    e);
        }
        if (heads.clockId() != host.clockId()) {
            throw StoreException.unusable(
                    directory + " is used by processes in another time namespace, whose clock is not this one's: use "
                            + "another directory, or stop them all and delete " + boot,
                    null);
        }
        checkClock(directory, heads);
        return heads;
    }

    /**
     * Refuses to go on if the clock is far behind what others read: a Java whose nanoTime is a clock of its own would
     * break exclusion.
     */
    static void checkClock(Path directory, Heads heads) {
        if (heads.now() < heads.highWater() - 3 * Heads.MARGIN) {
            throw StoreException.unusable(
                    "the clock of this process is not that of the other processes that use " + directory
                            + ", or the data there is damaged: use the same Java for all, or stop them all and delete "
                            + "the directory",
                    null);
        }
    }

    /** Deletes what processes left that were killed while they made a directory or a marker. */
    static void deleteLitter(Path directory) throws IOException {
        List<String> litter = Directory.list(directory, Marker.FILE + "?*");
        for (String name : litter) {
            Path path = directory.resolve(name);
            if (Litter.isOld(path)) {
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    Directory.delete(path);
                } else {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
