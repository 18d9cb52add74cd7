package io.belay.jdbc;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.support.SharedFileSystems;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files that URLs of SQLite name. SQLite has one writer at a time in a file, so that a transaction of the user's
 * would keep Belay from renewing: the locks are in a file beside the user's.
 */
final class SqliteFiles {
    private static final String SCHEME = "jdbc:sqlite:";
    private static final String FILE = "file:";
    private static final String SUFFIX = ".belay";

    /** The most that the kernel follows. */
    private static final int MOST_LINKS = 40;

    private static final Pattern URL = Pattern.compile("jdbc:sqlite:([^?]*)(\\?.*)?", Pattern.DOTALL);

    private SqliteFiles() {}

    /** Returns the URL of the file of locks; the same URL again where there is no file. */
    static String ofLocks(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches() || isInMemory(url) || parts.group(1).startsWith(":")) {
            return url;
        }
        String parameters = parts.group(2);
        return SCHEME + target(parts.group(1)) + SUFFIX + (parameters == null ? "" : parameters);
    }

    /**
     * Returns the file itself where the path names a link: all who use the file are to find the same file of locks. It may be
     * that SQLite has yet to make it, so it is looked for by the directory that it is in.
     */
    private static String target(String path) {
        String scheme = path.startsWith(FILE) ? FILE : "";
        try {
            Path named = Path.of(path.substring(scheme.length()));
            Path file = named;
            for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(file); links++) {
                file = file.resolveSibling(Files.readSymbolicLink(file));
            }
            Path directory = file.toAbsolutePath().getParent();
            Path name = file.getFileName();
            return file == named || directory == null || name == null
                    ? path
                    : scheme + directory.toRealPath().resolve(name);
        } catch (IOException | InvalidPathException e) {
            return path; // as SQLite will say
        }
    }

    /** Returns the path of the file, without the URL's parameters, one of which may be a secret. */
    static String path(String url) {
        Matcher parts = URL.matcher(url);
        return parts.matches() ? parts.group(1) : url;
    }

    /** Returns the file; empty where there is none, or where only the driver can tell. */
    static Optional<Path> file(String url) {
        String path = path(url);
        if (isInMemory(url) || path.isEmpty() || path.startsWith(":")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(path.startsWith(FILE) ? decoded(path) : path));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Returns what is wrong with the file system that a file is on. */
    static List<Finding> examine(Path file) {
        try {
            return examine(file, Files.getFileStore(file).type());
        } catch (IOException e) {
            return List.of(Finding.of(
                    Severity.NOTE,
                    "not seen",
                    "The type of the file system of " + file + " is not told, so that has not been looked at.",
                    "Look yourself whether it is on a local disk."));
        }
    }

    static List<Finding> examine(Path file, String type) {
        return SharedFileSystems.include(type)
                ? List.of(Finding.of(
                        Severity.DANGER,
                        "file system",
                        file + " is on a file system of type " + type
                                + ", which other machines may share and do not see alike.",
                        "Use a file on a local disk, or a server for locks among machines."))
                : List.of();
    }

    private static String decoded(String path) {
        try {
            URI uri = new URI(path);
            return uri.isOpaque() ? uri.getSchemeSpecificPart() : uri.getPath();
        } catch (URISyntaxException e) { // SQLite takes any character
            return path.substring(FILE.length());
        }
    }

    /** Returns whether each connection would have a database of its own. */
    static boolean isPrivate(String url) {
        String path = path(url);
        return path.isEmpty() || (isInMemory(url) && !url.contains("cache=shared"));
    }

    private static boolean isInMemory(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        return lower.contains(":memory:") || lower.contains("mode=memory");
    }
}
