package io.belay.file;

import io.belay.spi.StoreException;
import io.belay.support.SharedFileSystems;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The directory that the user named: Belay makes it if need be, and refuses it unless it is fit for locks. */
final class Directory {
    private Directory() {}

    /** Enters a directory: checks it, makes what it lacks, and sees to it that it has the area of this boot alone. */
    static Entrance enter(Path directory, Access access, HostIdentity host, Boot.Clock clock) {
        make(directory, access);
        refuseShared(directory);
        try {
            access.check(directory);
            refuseEarly(directory, access, host);
            Entrance entrance = Entrance.enter(directory, access);
            try {
                prepare(entrance, directory, access, host, clock);
                return entrance;
            } catch (IOException | RuntimeException | Error e) {
                entrance.close();
                throw e;
            }
        } catch (IOException e) {
            String cure = e instanceof AccessDeniedException
                    ? ": give user " + Access.user() + " the rights to read and write it"
                    : "";
            throw StoreException.unusable("cannot use " + directory + ": " + DirectoryFiles.reason(e) + cure, e);
        }
    }

    /**
     * Refuses a directory that is not Belay's, or not for this user, before anything is made there. Other processes
     * come and go meanwhile.
     */
    private static void refuseEarly(Path directory, Access access, HostIdentity host) throws IOException {
        boolean used = Boot.exists(directory, host);
        try {
            if (used) {
                access.checkArea(Boot.path(directory, host));
            }
        } catch (NoSuchFileException e) {
            FileLog.LOG.debug("another process has just deleted {}", e.getFile());
        }
        FormatFile.needsWriting(directory, host, used);
    }

    private static void prepare(Entrance entrance, Path directory, Access access, HostIdentity host, Boot.Clock clock)
            throws IOException {
        if (FormatFile.needsWriting(directory, host, Boot.exists(directory, host))) {
            entrance.beAlone();
            mark(directory, access, host);
        }
        if (!Boot.isReady(directory, host)) {
            entrance.beAlone();
            Boot.prepare(directory, access, host, clock);
        }
        access.checkArea(Boot.path(directory, host));
    }

    /** Marks a directory, unless clients are there that know an earlier format alone. The caller is alone at the entrance. */
    private static void mark(Path directory, Access access, HostIdentity host) throws IOException {
        boolean used = Boot.exists(directory, host);
        if (!FormatFile.needsWriting(directory, host, used)) {
            return; // another client has done it meanwhile
        }
        if (FormatFile.isEarlier(directory)) {
            Path own = Boot.path(directory, host);
            OtherBoots.refuseLiving(directory, OtherBoots.find(directory, own));
            if (used && OtherBoots.isAlive(own)) {
                throw StoreException.unusable(
                        directory + " is in use by processes of an earlier version of Belay, which could not read what"
                                + " this one writes: end them first, or use another directory",
                        null);
            }
        }
        FormatFile.write(directory, access, host);
    }

    private static void make(Path directory, Access access) {
        refuseFile(directory);
        try {
            if (!Files.exists(directory)) {
                if (access.group()) {
                    throw StoreException.unusable(
                            "there is no directory " + directory + ", and Belay does not know which group shall share "
                                    + "it: make it with install -d -m 2770 -g GROUP " + directory,
                            null);
                }
                Files.createDirectories(directory, Access.privately(directory, "rwx------"));
                access.give(directory, "rwx------");
            }
        } catch (IOException e) {
            throw StoreException.unusable(
                    "cannot make the directory " + directory + ": " + DirectoryFiles.reason(e)
                            + "; make it yourself, or use another one",
                    e);
        }
        if (!DirectoryFiles.isUsable(directory)) {
            throw StoreException.unusable(
                    "the directory " + directory + " may not be written by this process (user " + Access.user()
                            + "): change its owner or rights, or use another one",
                    null);
        }
    }

    /** Refuses to look at a directory that is not there: its name may be a slip of the pen. */
    static void refuseMissing(Path directory) {
        if (Files.notExists(directory)) {
            throw StoreException.unusable(
                    "the directory " + directory + " does not exist, so no locks are there; check the URL, or let the"
                            + " first client make it",
                    null);
        }
        refuseFile(directory);
    }

    private static void refuseFile(Path directory) {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw StoreException.unusable(directory + " is not a directory: give Belay a directory of its own", null);
        }
    }

    static void refuseShared(Path directory) {
        try {
            String type = Files.getFileStore(directory).type();
            if (SharedFileSystems.include(type)) {
                throw StoreException.unusable(
                        "the directory " + directory + " is on a file system of type " + type
                                + ", which other machines may share: use one on a local disk",
                        null);
            }
        } catch (IOException e) {
            throw StoreException.unusable("cannot use " + directory + ": " + DirectoryFiles.reason(e), e);
        }
    }
}
