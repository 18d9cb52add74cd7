package io.belay.cli.text;

import io.belay.Belay;
import io.belay.support.UrlVariables;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URLs from the command line or from a file, as they were written: whoever opens one puts in what its variables
 * stand for, and then it may hold a password.
 */
public final class UrlOptions {
    /** The parameter by which a client of a database makes what is not there, in capitals, too. */
    private static final Pattern CREATE = Pattern.compile("(?i)belay-create=true");

    private UrlOptions() {}

    /**
     * Returns the URL that a pair of options gives.
     *
     * @param name the option, without the dashes; the other is called {@code name-file}
     * @return the URL, all of whose variables are set; empty if neither is given
     */
    public static Optional<String> resolve(String name, @Nullable String url, @Nullable Path file) {
        if (url != null && file != null) {
            throw CliException.usage("give either --" + name + " or --" + name + "-file");
        }
        String text = file == null ? url : read(name, file);
        if (text == null) {
            return Optional.empty();
        }
        if (text.isBlank()) {
            throw CliException.usage("--" + name + " is empty");
        }
        // Shows what is wrong before anything is opened or started.
        String whole = UrlVariables.expand(text);
        boolean isPath = hasScheme(whole, "file:");
        // Files are read as UTF-8, arguments and variables by the locale; and by that a path goes back to the system.
        String read = file == null || isPath ? whole : UrlVariables.expand(beyondVariables(text));
        if ((file != null || !isPath) && !LockNameConverter.isRead(read)) {
            throw CliException.usage("--" + name + (file == null ? "" : "-file") + LockNameConverter.UNREAD);
        }
        return Optional.of(text);
    }

    /** Returns a text with a question mark in the place of each letter beyond ASCII, but in names of variables. */
    private static String beyondVariables(String text) {
        return Pattern.compile("\\$\\{[^}]*}|[^\\x00-\\x7f]")
                .matcher(text)
                .replaceAll(found -> found.group().startsWith("$") ? Matcher.quoteReplacement(found.group()) : "?");
    }

    /** Does the same as {@link #resolve}, for a URL that has no default. */
    public static String require(String name, @Nullable String url, @Nullable Path file) {
        return resolve(name, url, file)
                .orElseThrow(() -> CliException.usage("--" + name + " or --" + name + "-file is missing"));
    }

    /** Refuses a store that each process would have for itself. */
    public static void refuseMemory(String store) {
        if (isMemory(store)) {
            throw CliException.usage("memory: is a store inside one process, and this command needs one that several"
                    + " processes share, such as file:DIRECTORY");
        }
    }

    /** Returns whether a store is inside the process that opens it. */
    public static boolean isMemory(String store) {
        return hasScheme(UrlVariables.expand(store), "memory:");
    }

    /** Returns whether a store is a directory of files. */
    public static boolean isFile(String store) {
        return hasScheme(UrlVariables.expand(store), "file:");
    }

    /** Schemes are the same in capital letters. */
    private static boolean hasScheme(String url, String scheme) {
        return url.regionMatches(true, 0, scheme, 0, scheme.length());
    }

    /** Returns the URL for a command that only looks: the client enters no directory, and makes and changes nothing. */
    public static String forLooking(String store) {
        String url = UrlVariables.expand(store);
        if (CREATE.matcher(url).find()) {
            return store + "&belay-create=false"; // the last one counts
        }
        return hasScheme(url, "file:") && !url.contains("readonly=")
                ? store + (url.contains("?") ? "&" : "?") + "readonly=true"
                : store;
    }

    /** Returns the URL for a command that changes what is there, and makes nothing: a directory is looked at first. */
    public static String forChanging(String store) {
        String looking = forLooking(store);
        if (!isFile(store)) {
            return looking;
        }
        Belay.connect(looking).close();
        return store;
    }

    private static String read(String name, Path file) {
        try {
            List<String> lines = Files.readAllLines(file).stream()
                    .map(line -> line.replaceFirst("^\ufeff", "").strip()) // as editors on Windows put before a text
                    .filter(line -> !line.isEmpty())
                    .toList();
            if (lines.size() != 1) {
                throw CliException.usage("--" + name + "-file " + file + " must hold one line, the URL");
            }
            return lines.get(0);
        } catch (MalformedInputException e) {
            throw CliException.usage("--" + name + "-file " + file + " is not a text file in UTF-8");
        } catch (NoSuchFileException e) {
            throw CliException.usage("--" + name + "-file " + file + " does not exist");
        } catch (IOException e) {
            throw CliException.usage("--" + name + "-file " + file + " cannot be read, or is a directory");
        }
    }
}
