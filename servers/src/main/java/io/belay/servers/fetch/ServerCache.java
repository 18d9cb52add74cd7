package io.belay.servers.fetch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The directory in which fetched servers are kept. Each is filled under another name and then renamed: what has
 * its name is whole. Builds that want to fill the same directory at the same time do so one after another.
 */
final class ServerCache {
    /** A file's lock is the whole JVM's. */
    private static final ReentrantLock JVM = new ReentrantLock();

    private final Path directory;

    ServerCache(Path directory) {
        this.directory = directory;
    }

    /** The user's own: {@code belay/servers} in {@code XDG_CACHE_HOME}, or in {@code ~/.cache}. */
    static ServerCache ofUser(Map<String, String> environment, String home) {
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        // What is not absolute is to be ignored, says the specification of that variable.
        Path base = Path.of(xdg).isAbsolute() ? Path.of(xdg) : Path.of(home, ".cache");
        return new ServerCache(base.resolve("belay").resolve("servers"));
    }

    /** Returns the directory in which a server lies or is to lie. */
    Path path(String id) {
        return directory.resolve(id);
    }

    boolean has(String id) {
        return Files.isDirectory(path(id));
    }

    /** Fills an empty directory, which is renamed to {@code later} afterwards. */
    interface Filler {
        void fill(Path empty, Path later) throws IOException, InterruptedException;
    }

    /** Returns the directory of a server, which is filled first if there is none. */
    Path get(String id, Filler filler) throws IOException, InterruptedException {
        if (has(id)) {
            return path(id);
        }
        Files.createDirectories(directory);
        JVM.lockInterruptibly();
        try (FileChannel file = FileChannel.open(
                        directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            // Another build may have been quicker.
            if (lock.isValid() && !has(id)) {
                fill(id, filler);
            }
        } finally {
            JVM.unlock();
        }
        return path(id);
    }

    private void fill(String id, Filler filler) throws IOException, InterruptedException {
        Path partial = directory.resolve("." + id + ".partial");
        // Of a build that was killed.
        delete(partial);
        try {
            filler.fill(Files.createDirectory(partial), path(id));
            Files.move(partial, path(id), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            delete(partial);
        }
    }

    /** Deletes a directory with all that is in it, if it is there. */
    static void delete(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (NoSuchFileException e) {
            // Nothing to delete.
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
