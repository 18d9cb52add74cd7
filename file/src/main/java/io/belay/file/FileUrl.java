package io.belay.file;

import io.belay.spi.StoreException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * A URL taken apart: {@code file:DIR}, {@code file:/DIR} or {@code file:///DIR}, and parameters behind a question mark.
 *
 * @param directory the directory, absolute
 * @param access the processes that share it; those of its group with {@code group=true}
 * @param readonly whether the client only looks ({@code readonly=true})
 */
record FileUrl(Path directory, Access access, boolean readonly) {
    private static final String SCHEME = "file:";

    static FileUrl parse(String url) {
        String[] parts = url.split("\\?", 2);
        Path directory = directory(url, parts[0]);
        boolean group = false;
        boolean readonly = false;
        for (String parameter : parts.length == 1 ? new String[0] : parts[1].split("&", -1)) {
            String name = parameter.split("=", 2)[0];
            switch (name) {
                case "group" -> group = isTrue(url, parameter);
                case "readonly" -> readonly = isTrue(url, parameter);
                default ->
                    throw unusable(
                            url, "has an unknown parameter behind the ?: file: knows group=true and readonly=true");
            }
        }
        return new FileUrl(directory, new Access(group), readonly);
    }

    private static boolean isTrue(String url, String parameter) {
        int value = parameter.indexOf('=') + 1;
        return switch (value == 0 ? "" : parameter.substring(value)) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw unusable(
                        url, "has a parameter " + parameter.split("=", 2)[0] + " that is neither true nor false");
        };
    }

    private static Path directory(String url, String text) {
        String path = text.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) ? text.substring(SCHEME.length()) : "";
        if (path.startsWith("//") && !path.startsWith("///")) {
            throw unusable(url, "names a host; a directory of this machine is file:/path or file:///path");
        }
        if (path.indexOf('#') >= 0) {
            throw unusable(url, "has a part behind the #, and file: takes a directory only");
        }
        if (path.isBlank()) {
            throw unusable(url, "names no directory: write file:/path/to/a/directory");
        }
        if (!path.equals(path.strip())) {
            throw unusable(url, "has a blank at an end of the path, which would be a directory of its own: remove it");
        }
        if (path.startsWith("~")) {
            throw unusable(url, "begins with ~, which only a shell understands: write file:${HOME}/...");
        }
        try {
            return Path.of(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            boolean plain = path.chars().allMatch(letter -> letter < 128);
            throw unusable(
                    url,
                    plain
                            ? "is not a path: " + e.getReason()
                            : "has letters that this locale does not know: set LC_ALL=C.UTF-8");
        }
    }

    /**
     * Makes a failure that shows the URL as far as it may be shown: a user and a password may stand before an @, and
     * behind a question mark.
     */
    private static StoreException unusable(String url, String why) {
        String shown = url.split("[?#]", 2)[0].replaceFirst("^([a-zA-Z]+:/*).*@", "$1...@");
        return StoreException.unusable("the URL " + shown + " " + why, null);
    }
}
