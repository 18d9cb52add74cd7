package io.belay.jdbc;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.support.SharedFileSystems;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

    /** The parameter, and not the pragma {@code journal_mode}. */
    private static final Pattern MEMORY = Pattern.compile("[?&]mode=memory(&|$)", Pattern.CASE_INSENSITIVE);

    /** How a file is written, and for how long it is locked. */
    private static final Pattern JOURNAL =
            Pattern.compile("[?&](?:journal_mode|locking_mode)=[^&]*", Pattern.CASE_INSENSITIVE);

    /** The parts of a URI beside its path. */
    private static final Pattern AROUND_PATH = Pattern.compile("^file:(//[^/]*)?|#.*", Pattern.DOTALL);

    private SqliteFiles() {}

    /** Returns the URL of the file of locks; the same URL again where there is no file. */
    static String ofLocks(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches() || isInMemory(url) || parts.group(1).startsWith(":")) {
            return url;
        }
        return SCHEME + target(parts.group(1)) + SUFFIX + withoutJournal(parts.group(2));
    }

    /** Returns the parameters without those of the user's file by which no other connection could be made to that of the locks. */
    private static String withoutJournal(@Nullable String parameters) {
        String kept = parameters == null ? "" : JOURNAL.matcher(parameters).replaceAll("");
        return kept.isEmpty() ? "" : "?" + kept.substring(1);
    }

    /**
     * Returns the file itself where the path names a link: all who use the file are to find the same file of locks. It may be
     * that SQLite has yet to make it, so it is looked for by the directory that it is in.
     */
    private static String target(String path) {
        boolean isUri = path.startsWith(FILE);
        try {
            Path named = Path.of(isUri ? decoded(path) : path);
            Path file = named;
            for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(file); links++) {
                file = file.resolveSibling(Files.readSymbolicLink(file));
            }
            Path directory = file.toAbsolutePath().getParent();
            Path name = file.getFileName();
            if (file == named || directory == null || name == null) {
                return path;
            }
            String real = directory.toRealPath().resolve(name).toString();
            return isUri ? FILE + encoded(real) : real;
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

    /** Returns the path of a URI, in which SQLite takes any character. */
    private static String decoded(String uri) {
        String path = AROUND_PATH.matcher(uri).replaceAll("");
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return path;
        }
    }

    /** Returns a path as SQLite decodes it. */
    private static String encoded(String path) {
        return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23");
    }

    /** Returns whether each connection would have a database of its own. */
    static boolean isPrivate(String url) {
        String path = path(url);
        return path.isEmpty() || (isInMemory(url) && !url.contains("cache=shared"));
    }

    private static boolean isInMemory(String url) {
        return url.toLowerCase(Locale.ROOT).contains(":memory:")
                || MEMORY.matcher(url).find();
    }
}
