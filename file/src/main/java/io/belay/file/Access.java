package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * The processes that share a directory: those of its owner alone or, where the URL asks for it, those of its group. Any
 * other process would leave files that these cannot read; they would then report that the data of a lock is damaged.
 *
 * @param group whether the directory's group shares it
 */
record Access(boolean group) {
    /** A path that belongs to the user as whom this process makes files. */
    private static final Path SELF = Path.of("/proc/self");

    private static final Path STATUS = SELF.resolve("status");

    /** The bit of the capability to give files to anybody. */
    private static final long CHOWN = 1;

    private static final String OWNER_ID = "unix:uid";
    private static final String GROUP_ID = "unix:gid";

    static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Returns the name of the user that this process runs as. */
    static String user() {
        try {
            return Files.getOwner(SELF).getName();
        } catch (IOException e) {
            return System.getProperty("user.name");
        }
    }

    /** Returns the rights to a directory; empty where its file system knows none. */
    static Set<PosixFilePermission> permissions(Path path) throws IOException {
        return isPosix(path) ? Files.getPosixFilePermissions(path) : Set.of();
    }

    /** Returns whether a directory belongs to another user than the one who runs this process. */
    static boolean isForeign(Path directory) throws IOException {
        return isPosix(directory)
                && Files.exists(SELF)
                && !Files.getAttribute(directory, OWNER_ID).equals(Files.getAttribute(SELF, OWNER_ID));
    }

    static String groupOf(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class).group().getName();
    }

    /** Refuses a directory that too many users may write to, or that this process would spoil for its users. */
    void check(Path directory) throws IOException {
        if (!isPosix(directory)) {
            return;
        }
        Set<PosixFilePermission> permissions = permissions(directory);
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw refused("every user of this machine may write to " + directory
                    + ", and could take or end any lock there: run chmod o-w on it, or use another one");
        }
        if (group) {
            checkGroup(directory, permissions);
        } else {
            checkOwner(directory, permissions);
        }
    }

    /** Refuses an area of a boot that other processes made with other rights, or as a user who keeps this one out. */
    void checkArea(Path boot) throws IOException {
        if (!isPosix(boot)) {
            return;
        }
        boolean ofGroup = permissions(boot).contains(PosixFilePermission.GROUP_WRITE);
        if (ofGroup != group) {
            throw refused(boot.getParent() + " is used by processes whose URL is" + (ofGroup ? " with" : " without")
                    + " group=true: use one URL for all, or end them all and delete " + boot);
        }
        if (!DirectoryFiles.isUsable(boot) || (!group && isForeign(boot))) {
            throw refused(boot.getParent() + " is used by processes of user "
                    + Files.getOwner(boot).getName() + ": run all as the same user, or use another directory");
        }
    }

    private static void checkGroup(Path directory, Set<PosixFilePermission> permissions) throws IOException {
        if (!permissions.containsAll(PosixFilePermissions.fromString("---rwx---"))) {
            throw refused("the URL says group=true, and the group " + groupOf(directory) + " may not write to "
                    + directory + ": run chmod g+rwx on it, or leave group=true out");
        }
        if (!mayGiveTo(directory)) {
            throw refused("the group " + groupOf(directory) + " shares " + directory + ", and this process (user "
                    + user() + ") may not give it files: make the user a member of the group");
        }
    }

    /** Returns whether this process may give files to the directory's group: it takes a member, or the superuser. */
    private static boolean mayGiveTo(Path directory) throws IOException {
        if (!Files.exists(STATUS)) {
            return true;
        }
        String group = Files.getAttribute(directory, GROUP_ID).toString();
        for (String line : Files.readAllLines(STATUS)) {
            List<String> words = List.of(line.split("\\s+"));
            boolean member = words.get(0).equals("Gid:") || words.get(0).equals("Groups:");
            if (member && words.contains(group)
                    || words.get(0).equals("CapEff:") && (Long.parseUnsignedLong(words.get(1), 16) & CHOWN) != 0) {
                return true;
            }
        }
        return false;
    }

    private static void checkOwner(Path directory, Set<PosixFilePermission> permissions) throws IOException {
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)) {
            throw refused("the group " + groupOf(directory) + " may write to " + directory
                    + ", and could take or end any lock there: add ?group=true to the URL of all who share it, or run"
                    + " chmod g-w on it");
        }
        if (isForeign(directory)) {
            String owner = Files.getOwner(directory).getName();
            throw refused(
                    directory + " belongs to user " + owner + ", who could not read what this process (user " + user()
                            + ") leaves there: run it as " + owner + ", or add ?readonly=true to the URL to look only");
        }
    }

    private static StoreException refused(String why) {
        return StoreException.unusable(why, null);
    }

    /**
     * Returns the rights with which a process makes something in a directory. Claims name hosts and threads, and
     * whoever can write there can take a lock: what is made is the owner's alone, until {@link #give} gives it to
     * others.
     */
    static FileAttribute<?>[] privately(Path directory, String permissions) {
        return isPosix(directory)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Gives what was just made to those who share the directory, whatever this process's umask is: to its group, or to the
     * owner alone.
     */
    void give(Path made, String permissions) throws IOException {
        if (!isPosix(made)) {
            return;
        }
        if (group) {
            Object id = Files.getAttribute(made.getParent(), GROUP_ID);
            if (!id.equals(Files.getAttribute(made, GROUP_ID, LinkOption.NOFOLLOW_LINKS))) {
                Files.setAttribute(made, GROUP_ID, id, LinkOption.NOFOLLOW_LINKS);
            }
        }
        Files.setPosixFilePermissions(
                made, PosixFilePermissions.fromString(group ? permissions : permissions.substring(0, 3) + "------"));
    }
}
