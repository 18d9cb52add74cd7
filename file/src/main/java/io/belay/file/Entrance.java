package io.belay.file;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock on a file that a client has while it enters a directory, until its socket listens and it can be seen to
 * live. Clients that find the area of their boot share the lock, so that none waits for one that is stopped; a client
 * that looks at the areas of other boots, deletes them or makes its own has the lock alone.
 *
 * <p>The kernel takes the lock from a process that closes any channel of the file. So within one process one thread at
 * a time is here, whichever class loader its classes come from: it sets a system property that names the directory.
 */
final class Entrance implements AutoCloseable {
    static final String FILE = FormatFile.FILE + ".lock";

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
    private static final String PROPERTY = "io.belay.file.entrance";

    private final Path directory;
    private final long patience;
    private final String turn;
    private final FileChannel channel;
    private FileLock lock;

    private Entrance(Path directory, Access access, long patience) throws IOException {
        this.directory = directory;
        this.patience = patience;
        long end = System.nanoTime() + patience;
        turn = takeTurn(directory, end);
        FileChannel opened = null;
        try {
            opened = open(directory, access);
            channel = opened;
            lock = lock(true, end);
        } catch (IOException | RuntimeException | Error e) {
            if (opened != null) {
                opened.close();
            }
            System.getProperties().remove(turn);
            throw e;
        }
    }

    /** Enters beside other clients of the same boot. */
    static Entrance enter(Path directory, Access access) throws IOException {
        return enter(directory, access, PATIENCE);
    }

    static Entrance enter(Path directory, Access access, long patience) throws IOException {
        return new Entrance(directory, access, patience);
    }

    /** Waits until no other client enters. Others may have been here meanwhile: what the caller saw before is void. */
    void beAlone() throws IOException {
        lock.release();
        lock = lock(false, System.nanoTime() + patience);
    }

    private static String takeTurn(Path directory, long end) throws IOException {
        Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
        String turn = PROPERTY + (key == null ? directory.toRealPath() : key);
        Properties process = System.getProperties();
        while (process.putIfAbsent(turn, "taken") != null) {
            pause(directory, end);
        }
        return turn;
    }

    /**
     * Opens the file, and makes it if it is missing. Nobody ever replaces it, so that all lock the same one; it takes
     * its place once everybody who shares the directory may open it.
     */
    private static FileChannel open(Path directory, Access access) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Path made = Files.createFile(
                    directory.resolve(FILE + "." + UUID.randomUUID()), Access.privately(directory, "rw-------"));
            try {
                access.give(made, "rw-rw----");
                Files.createLink(file, made);
            } catch (FileAlreadyExistsException e) {
                FileLog.LOG.debug("another process has made {}", file);
            } finally {
                Files.delete(made);
            }
        }
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    private FileLock lock(boolean shared, long end) throws IOException {
        FileLock taken = channel.tryLock(0, Long.MAX_VALUE, shared);
        while (taken == null) {
            pause(directory, end);
            taken = channel.tryLock(0, Long.MAX_VALUE, shared);
        }
        return taken;
    }

    private static void pause(Path directory, long end) {
        if (System.nanoTime() - end >= 0) {
            throw StoreException.unusable(
                    "another process has been entering " + directory + " for long, and does not get on: see which"
                            + " process of those that use it is stopped, and end it",
                    null);
        }
        LockSupport.parkNanos(PAUSE);
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            System.getProperties().remove(turn);
        }
    }
}
