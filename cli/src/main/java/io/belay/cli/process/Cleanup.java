package io.belay.cli.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The cleanup of what a command set up, the last first: when the command ends, and also when a signal ends it. The
 * Java VM then exits with 128 and the signal's number.
 */
public final class Cleanup implements AutoCloseable {
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final Thread hook = new Thread(this::clean, "cleanup");
    private volatile boolean begun;

    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Adds a step; does it at once if the cleaning has begun. */
    public void add(Runnable step) {
        synchronized (steps) {
            if (!begun) {
                steps.push(step);
                return;
            }
        }
        step.run();
    }

    /** Returns whether things are being taken away, so that to miss them is no failure. */
    public boolean begun() {
        return begun;
    }

    /** Makes a directory that goes with the command. */
    public Path temporaryDirectory(String prefix) throws IOException {
        Path directory = Files.createTempDirectory(prefix);
        add(() -> delete(directory));
        return directory;
    }

    /** Cleans up. Does not return once a signal ends the command: what that comes upon then is no failure, to be told. */
    @Override
    public void close() {
        clean();
        while (hook.getState() != Thread.State.NEW) {
            LockSupport.park();
        }
    }

    private void clean() {
        // Held all the while: the one of the two callers that comes second waits for the first.
        synchronized (steps) {
            begun = true;
            while (!steps.isEmpty()) {
                steps.pop().run();
            }
        }
    }

    private static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new Deletion());
        } catch (IOException e) {
            System.err.println("belay: " + directory + " could not be removed: " + e.getMessage());
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        /** Goes on, as a file may go by itself between the listing and the visit. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
