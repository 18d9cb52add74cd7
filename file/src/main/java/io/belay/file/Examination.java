package io.belay.file;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.spi.StoreException;
import io.belay.support.SharedFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The state of a directory as far as it can be seen without changing anything.
 *
 * @param directory the directory
 * @param type the type of its file system
 * @param usable whether this process may list, read and write it, and the others can use what it makes there
 * @param access the processes that share it by the URL
 * @param permissions its rights; empty where there are none
 * @param space the number of bytes that may still be written
 */
record Examination(
        Path directory, String type, boolean usable, Access access, Set<PosixFilePermission> permissions, long space) {
    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

    /** Room for the heads and some dozens of clients. */
    private static final long LITTLE = 64L << 20;

    static Examination of(Path directory, Access access, HostIdentity host) {
        Directory.refuseMissing(directory);
        try {
            java.nio.file.FileStore files = Files.getFileStore(directory);
            boolean usable = DirectoryFiles.isUsable(directory);
            if (usable && !SharedFileSystems.include(files.type())) {
                boolean thisBoot = Boot.exists(directory, host);
                // Refuses what is not Belay's, or not this machine's.
                FormatFile.needsWriting(directory, host, thisBoot);
                usable = (!thisBoot || DirectoryFiles.isUsable(Boot.path(directory, host)))
                        && (access.group() || !Access.isForeign(directory));
            }
            return new Examination(
                    directory, files.type(), usable, access, Access.permissions(directory), files.getUsableSpace());
        } catch (IOException e) {
            throw StoreException.unusable("cannot look at " + directory + ": " + DirectoryFiles.reason(e), e);
        }
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (SharedFileSystems.include(type)) {
            findings.add(Finding.of(
                    Severity.DANGER,
                    "file system",
                    directory + " is on a file system of type " + type
                            + ", which other machines may share and do not see alike.",
                    "Use a directory on a local disk, or a server for locks among machines."));
        }
        if (!usable) {
            findings.add(rights(
                    "This process (user " + Access.user() + ") may not read and write all of " + directory
                            + ", or would leave files there that its owner cannot read, so it gets no locks there.",
                    "Run all processes as the user that the directory belongs to, or change its owner or rights."));
        }
        sharing().ifPresent(findings::add);
        if (space < LITTLE) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "space",
                    "The file system of " + directory + " has " + (space >> 20)
                            + " MB left, and a client needs at least 1 MB to enter a claim.",
                    "Make room, or use a directory on another disk."));
        }
        if (MEMORY.contains(type)) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "file system",
                    directory + " is in memory (" + type + "), so a reboot empties it.",
                    "None needed: a reboot ends all locks anyway, and tokens go on with the wall clock."));
        }
        return findings;
    }

    /** Returns what is wrong with the rights if they make every client refuse the directory. */
    private Optional<Finding> sharing() {
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            return Optional.of(rights(
                    "Every user of this machine may write to " + directory
                            + ", and whoever can write there can break its locks: Belay refuses it.",
                    "Run chmod o-w " + directory + " to take the right from them."));
        }
        boolean byGroup = permissions.contains(PosixFilePermission.GROUP_WRITE);
        if (byGroup && !access.group()) {
            return Optional.of(rights(
                    "The group of " + directory + " may write there, and the URL does not say so: Belay refuses it.",
                    "Add ?group=true to the URL of all who share it, or run chmod g-w " + directory + "."));
        }
        if (!byGroup && access.group() && !permissions.isEmpty()) {
            return Optional.of(rights(
                    "The URL says group=true, and the group of " + directory
                            + " may not write there: Belay refuses it.",
                    "Run chmod g+rwx " + directory + ", or leave group=true out."));
        }
        return Optional.empty();
    }

    private static Finding rights(String finding, String cure) {
        return Finding.of(Severity.WARNING, "rights", finding, cure);
    }
}
