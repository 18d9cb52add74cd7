package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations on the files of any directory of Belay's, and the words for what goes wrong. */
final class DirectoryFiles {
    private DirectoryFiles() {}

    /** Returns the names of the files in a directory, or of those that match a glob, in order. */
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

    /** Deletes a directory and the files in it; of a link, that alone. Logs a failure. */
    static void delete(Path directory) {
        try {
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                for (String name : list(directory, null)) {
                    Files.deleteIfExists(directory.resolve(name));
                }
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            FileLog.LOG.warn("could not delete {}: {}", directory, reason(e));
        }
    }

    /** Returns whether this process may list, read and write a directory. */
    static boolean isUsable(Path directory) {
        return Files.isWritable(directory) && Files.isReadable(directory) && Files.isExecutable(directory);
    }

    /** Refuses a link where Belay makes none: somebody else put it there, and it leads to what is not Belay's. */
    static void refuseLink(Path made) {
        if (Files.isSymbolicLink(made)) {
            throw StoreException.unusable(
                    made + " is a symbolic link, which Belay has not made: find out who has, and remove it", null);
        }
    }

    /** Returns whether a file that cannot be read is missing, or is none that Belay wrote; any other failure may pass. */
    static boolean isDamage(Path file, IOException e) {
        return e instanceof NoSuchFileException
                || e instanceof StreamCorruptedException
                || (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
    }

    /** Returns what went wrong, without the name of the exception where the rest says enough by itself. */
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
