package io.belay.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The processes and directories of this JVM that it has not yet put away. They go when the JVM ends. */
final class Leftovers {
    private static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();
    private static final Set<ServerProcess> SERVERS = ConcurrentHashMap.newKeySet();
    private static final Set<Path> DIRECTORIES = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::clear, "belay-leftovers"));
    }

    private Leftovers() {}

    static Path directory(String prefix) throws IOException {
        return made(Files.createTempDirectory(prefix));
    }

    static Path directory(Path parent, String prefix) throws IOException {
        return made(Files.createTempDirectory(parent, prefix));
    }

    private static Path made(Path directory) {
        DIRECTORIES.add(directory);
        return directory;
    }

    /** Adds a server whose {@code close} knows what else to put away. */
    static void add(ServerProcess server) {
        SERVERS.add(server);
    }

    static void remove(ServerProcess server) {
        SERVERS.remove(server);
    }

    static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        PROCESSES.add(process);
        return process;
    }

    /** Kills a process and its children, and waits for their end. */
    static void kill(Process process) {
        List<ProcessHandle> children = process.descendants().toList();
        // First the one that would start others in their place.
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        // Not by onExit(), which tells on the common pool: a test may keep that busy.
        while (process.isAlive()) {
            LockSupport.parkNanos(1_000_000);
        }
        children.forEach(ProcessTree::awaitEnd);
        PROCESSES.remove(process);
    }

    static void delete(Path directory) {
        try (Stream<Path> walk = Files.walk(directory)) {
            // What is in a directory goes before it.
            List<Path> files = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // Closing twice does no harm.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DIRECTORIES.remove(directory);
    }

    private static void clear() {
        SERVERS.forEach(ServerProcess::close);
        PROCESSES.forEach(Leftovers::kill);
        DIRECTORIES.forEach(Leftovers::delete);
    }
}
