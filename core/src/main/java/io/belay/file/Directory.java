package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The directory that the user named: made if need be, and refused unless it is fit for locks. */
final class Directory {
    /** File systems that other machines write to, or that may not show one process what another has mapped. */
    private static final Set<String> SHARED = Set.of(
            "nfs",
            "nfs4",
            "cifs",
            "smb",
            "smbfs",
            "smb2",
            "smb3",
            "9p",
            "virtiofs",
            "ceph",
            "lustre",
            "afs",
            "beegfs",
            "gpfs",
            "gfs",
            "gfs2",
            "ocfs2",
            "glusterfs",
            "orangefs",
            "pvfs2",
            "coda",
            "ncpfs",
            "davfs",
            "webdav",
            "acfs",
            "vboxsf",
            "vmhgfs",
            "prl_fs");

    private Directory() {}

    /** Opens a directory; returns the one inside it that is of this boot. */
    static Path open(Path directory, Host host, Boot.Clock clock) {
        make(directory);
        refuseShared(directory);
        try {
            refusePublic(directory);
            Marker.check(directory, host, Boot.exists(directory, host));
            Path boot = Boot.enter(directory, host, clock);
            if (!Files.isWritable(boot)) {
                throw StoreException.unusable(
                        directory + " is used by processes of user " + Files.getOwner(boot)
                                + ": run all as the same user, or use another directory",
                        null);
            }
            return boot;
        } catch (IOException e) {
            throw StoreException.unusable("cannot use " + directory + ": " + reason(e), e);
        }
    }

    private static void make(Path directory) {
        refuseFile(directory);
        try {
            if (!Files.exists(directory)) {
                Files.createDirectories(directory, privately(directory));
            }
        } catch (IOException e) {
            throw StoreException.unusable(
                    "cannot make the directory " + directory + ": " + reason(e)
                            + "; make it yourself, or use another one",
                    e);
        }
        if (!isUsable(directory)) {
            throw StoreException.unusable(
                    "the directory " + directory + " may not be written by this process (user "
                            + System.getProperty("user.name") + "): change its owner or rights, or use another one",
                    null);
        }
    }

    static void refuseFile(Path directory) {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw StoreException.unusable(directory + " is not a directory: give Belay a directory of its own", null);
        }
    }

    /** What Belay makes is no link: one that is there was put there by somebody else, and leads to what is not ours. */
    static void refuseLink(Path made) {
        if (Files.isSymbolicLink(made)) {
            throw StoreException.unusable(
                    made + " is a symbolic link, which Belay has not made: find out who has, and remove it", null);
        }
    }

    private static void refusePublic(Path directory) throws IOException {
        if (isPosix(directory) && Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE)) {
            throw StoreException.unusable(
                    "every user of this machine may write to " + directory
                            + ", and could take or end any lock there: run chmod o-w on it, or use another one",
                    null);
        }
    }

    /** Whether this process may do there what it has to. */
    static boolean isUsable(Path directory) {
        return Files.isWritable(directory) && Files.isReadable(directory) && Files.isExecutable(directory);
    }

    static boolean isPosix(Path directory) {
        return directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Claims name hosts and threads, and whoever can write here can take a lock: nobody else may. */
    static java.nio.file.attribute.FileAttribute<?>[] privately(Path directory) {
        return isPosix(directory)
                ? new java.nio.file.attribute.FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new java.nio.file.attribute.FileAttribute<?>[0];
    }

    private static void refuseShared(Path directory) {
        try {
            String type = Files.getFileStore(directory).type();
            if (isShared(type)) {
                throw StoreException.unusable(
                        "the directory " + directory + " is on a file system of type " + type
                                + ", which other machines may share: use one on a local disk",
                        null);
            }
        } catch (IOException e) {
            throw StoreException.unusable("cannot use " + directory + ": " + reason(e), e);
        }
    }

    static boolean isShared(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        return SHARED.contains(name)
                || name.equals("fuse")
                || (name.startsWith("fuse.") && !name.equals("fuse.fuse-overlayfs"));
    }

    /** The names of what is in a directory, in order. */
    static List<String> list(Path directory, @Nullable String glob) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob == null ? "*" : glob)) {
            for (Path entry : entries) {
                names.add(entry.getFileName().toString());
            }
        }
        Collections.sort(names);
        return names;
    }

    /** Deletes a directory and the files in it; of a link, that alone. */
    static void delete(Path directory) {
        try {
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                for (String name : list(directory, null)) {
                    Files.deleteIfExists(directory.resolve(name));
                }
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            FileStore.LOG.warn("could not delete {}: {}", directory, reason(e));
        }
    }

    /** What went wrong, without the name of the exception where it says enough by itself. */
    static String reason(IOException e) {
        if (e instanceof FileSystemException failed && failed.getReason() == null) {
            return switch (e.getClass().getSimpleName()) {
                case "AccessDeniedException" -> "no access to " + failed.getFile();
                case "NoSuchFileException" -> "there is no " + failed.getFile();
                case "FileAlreadyExistsException" -> "there is a file " + failed.getFile() + " already";
                default -> e.toString();
            };
        }
        String message = e.getMessage();
        return message == null ? e.toString() : message;
    }
}
