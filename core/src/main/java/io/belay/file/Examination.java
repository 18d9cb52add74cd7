package io.belay.file;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What can be seen of a directory without changing it.
 *
 * @param directory which
 * @param type the type of its file system
 * @param usable whether this process may list, read and write it
 * @param permissions its rights; empty where there are none
 * @param space how many bytes may still be written
 */
record Examination(Path directory, String type, boolean usable, Set<PosixFilePermission> permissions, long space) {
    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

    /** Room for the heads and some dozens of clients. */
    private static final long LITTLE = 64L << 20;

    static Examination of(Path directory, Host host) {
        if (Files.notExists(directory)) {
            throw StoreException.unusable(
                    "the directory " + directory + " does not exist, so no locks are there; check the URL, or let the"
                            + " first client make it",
                    null);
        }
        Directory.refuseFile(directory);
        try {
            java.nio.file.FileStore files = Files.getFileStore(directory);
            boolean usable = Directory.isUsable(directory);
            if (usable && !Directory.isShared(files.type())) {
                boolean thisBoot = Boot.exists(directory, host);
                // Refuses what is not Belay's, or not this machine's.
                Marker.needsWriting(directory, host, thisBoot);
                usable = !thisBoot || Directory.isUsable(Boot.path(directory, host));
            }
            return new Examination(
                    directory,
                    files.type(),
                    usable,
                    Directory.isPosix(directory) ? Files.getPosixFilePermissions(directory) : Set.of(),
                    files.getUsableSpace());
        } catch (IOException e) {
            throw StoreException.unusable("cannot look at " + directory + ": " + Directory.reason(e), e);
        }
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (Directory.isShared(type)) {
            findings.add(new Finding(
                    Severity.DANGER,
                    "file system",
                    directory + " is on a file system of type " + type
                            + ", which other machines may share and do not see alike.",
                    "Use a directory on a local disk, or a server for locks among machines."));
        }
        if (!usable) {
            findings.add(new Finding(
                    Severity.WARNING,
                    "rights",
                    "This process (user " + System.getProperty("user.name") + ") may not read and write all of "
                            + directory + ", so it gets no locks there.",
                    "Run all processes as the user that the directory belongs to, or change its owner or rights."));
        }
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            findings.add(new Finding(
                    Severity.WARNING,
                    "rights",
                    "Every user of this machine may write to " + directory
                            + ", and whoever can write there can break its locks.",
                    "Run chmod o-w " + directory + " to take the right from them."));
        }
        if (space < LITTLE) {
            findings.add(new Finding(
                    Severity.WARNING,
                    "space",
                    "The file system of " + directory + " has " + (space >> 20)
                            + " MB left, and a client needs at least 1 MB to enter a claim.",
                    "Make room, or use a directory on another disk."));
        }
        if (MEMORY.contains(type)) {
            findings.add(new Finding(
                    Severity.NOTE,
                    "file system",
                    directory + " is in memory (" + type + "), so a reboot empties it.",
                    "None needed: a reboot ends all locks anyway, and tokens go on with the wall clock."));
        }
        return findings;
    }
}
