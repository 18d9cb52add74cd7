package io.belay.file;

import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Opens {@code file:DIR}, {@code file:/DIR} and {@code file:///DIR}. The rest of the URL is the path, as it stands. */
public final class FileStoreProvider implements StoreProvider {
    private static final String SCHEME = "file:";

    /** For the service loader. */
    public FileStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(listener, "listener");
        if (client == 0) {
            throw new IllegalArgumentException("0 is no client's number");
        }
        Path directory = directory(url);
        return FileStore.open(() -> Session.Opening.of(directory), client, listener);
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        return Examination.of(directory(url), Host.current()).findings();
    }

    static Path directory(String url) {
        String path = url.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) ? url.substring(SCHEME.length()) : "";
        if (path.startsWith("//") && !path.startsWith("///")) {
            throw unusable(url, "names a host; a directory of this machine is file:/path or file:///path");
        }
        int parameters = path.indexOf('?');
        if (parameters < 0) {
            parameters = path.indexOf('#');
        }
        if (parameters >= 0) {
            throw unusable(
                    url, "has a part behind the " + path.charAt(parameters) + ", and file: takes a directory only");
        }
        if (path.isBlank()) {
            throw unusable(url, "names no directory: write file:/path/to/a/directory");
        }
        if (path.startsWith("~")) {
            throw unusable(url, "begins with ~, which only a shell understands: write file:${HOME}/...");
        }
        try {
            return Path.of(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw unusable(url, "is not a path: " + e.getReason());
        }
    }

    /** The URL as far as it may be shown: a user and a password may stand before an @, and behind a question mark. */
    private static StoreException unusable(String url, String why) {
        String shown = url.split("[?#]", 2)[0].replaceFirst("^([a-zA-Z]+:/*).*@", "$1...@");
        return StoreException.unusable("the URL " + shown + " " + why, null);
    }
}
