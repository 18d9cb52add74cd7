package io.belay.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A copy of what a server keeps on disk. */
final class Snapshot {
    /** Redis 7 keeps its append-only file in pieces, in a directory. */
    private static final List<String> DATA = List.of("appendonlydir", "appendonly.aof", "dump.rdb");

    private final Path directory;
    private final Path copy;

    Snapshot(Path directory) {
        this.directory = directory;
        copy = directory.resolve("snapshot");
    }

    /** Copies the data as they are now, over the copy before. What the server is just writing may be cut off. */
    void take() throws IOException {
        Leftovers.delete(copy);
        Files.createDirectory(copy);
        copy(directory, copy);
    }

    /** Puts the copy in place of what there is; for a server that does not run. */
    void restore() throws IOException {
        if (!Files.isDirectory(copy)) {
            throw new IllegalStateException("there is no snapshot");
        }
        for (String name : DATA) {
            Leftovers.delete(directory.resolve(name));
        }
        copy(copy, directory);
    }

    private static void copy(Path from, Path to) throws IOException {
        for (String name : DATA) {
            if (!Files.exists(from.resolve(name))) {
                continue;
            }
            List<Path> files;
            try (Stream<Path> walk = Files.walk(from.resolve(name))) {
                files = walk.toList(); // a directory before what is in it
            }
            for (Path file : files) {
                try {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                } catch (NoSuchFileException e) {
                    // A file that the server needs only for a moment.
                }
            }
        }
    }
}
